# The program edgewise, its manual pages and the documents that it names.
file(GLOB tool_sources CONFIGURE_DEPENDS tools/*.c)
if(EW_BUILD_BENCH)
    file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.c)
    list(APPEND tool_sources ${bench_sources})
endif()
add_executable(edgewise_program ${tool_sources})
set_target_properties(edgewise_program PROPERTIES OUTPUT_NAME edgewise)
target_compile_definitions(edgewise_program PRIVATE EW_BUILD_BENCH=$<BOOL:${EW_BUILD_BENCH}>)
target_include_directories(edgewise_program PRIVATE kernels) # bench: formulas of one tet
target_link_libraries(edgewise_program PRIVATE ${libraries} Edgewise::dependencies)
# What `edgewise new` writes.
file(GLOB templates CONFIGURE_DEPENDS tools/new/*.yaml tools/new/*.inp)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/case_templates.c
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${PROJECT_SOURCE_DIR}/tools/new
            -DOUTPUT=${PROJECT_BINARY_DIR}/case_templates.c
            -P ${PROJECT_SOURCE_DIR}/tools/new/embed.cmake
    DEPENDS ${templates} tools/new/embed.cmake VERBATIM)
target_sources(edgewise_program PRIVATE ${PROJECT_BINARY_DIR}/case_templates.c)
target_include_directories(edgewise_program PRIVATE tools tools/new tools/report)
# What a report page has in it.
file(GLOB report CONFIGURE_DEPENDS tools/report/* tools/view/page/*.js)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/report_files.c
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${PROJECT_SOURCE_DIR}/tools/report
            -DPAGE=${PROJECT_SOURCE_DIR}/tools/view/page -DOUTPUT=${PROJECT_BINARY_DIR}/report_files.c
            -P ${PROJECT_SOURCE_DIR}/tools/report/embed.cmake
    DEPENDS ${report} VERBATIM)
target_sources(edgewise_program PRIVATE ${PROJECT_BINARY_DIR}/report_files.c)
# The page and its server: what needs no socket is a library, which the tests link, too.
if(EW_WITH_VIEW)
    set(view tools/view)
    file(GLOB page CONFIGURE_DEPENDS ${view}/page/*)
    add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/page_files.c
        COMMAND ${CMAKE_COMMAND} -DPAGE=${PROJECT_SOURCE_DIR}/${view}/page
                -DOUTPUT=${PROJECT_BINARY_DIR}/page_files.c
                -P ${PROJECT_SOURCE_DIR}/${view}/embed_page.cmake
        DEPENDS ${page} ${view}/embed_page.cmake VERBATIM)
    add_library(edgewise_view STATIC ${view}/answer.c ${view}/body.c ${view}/bytes.c
                ${view}/commands.c ${view}/contact.c ${view}/curved.c ${view}/edits.c ${view}/explode.c
                ${view}/fields.c ${view}/fill.c ${view}/inspect.c ${view}/labels.c ${view}/materials.c
                ${view}/panels.c ${view}/play.c
                ${view}/play_subject.c ${view}/save.c
                ${view}/save_acting.c ${view}/save_case.c ${view}/save_present.c ${view}/save_sets.c
                ${view}/scene.c ${view}/scene_tets.c
                ${view}/section.c ${view}/selectors.c ${view}/session.c ${view}/set_names.c ${view}/setup.c ${view}/steps.c ${view}/supports.c
                ${view}/values.c)
    target_include_directories(edgewise_view PUBLIC ${view} lib)
    target_link_libraries(edgewise_view PUBLIC Edgewise::view_dependencies)
    target_sources(edgewise_program PRIVATE ${view}/open.c ${view}/result.c ${view}/result_fields.c ${view}/result_history.c
                   ${view}/result_inspect.c ${view}/result_panels.c ${view}/result_picture.c
                   ${view}/result_supports.c ${view}/run.c ${view}/run_subject.c ${view}/server.c ${view}/source.c ${view}/source_save.c
                   ${PROJECT_BINARY_DIR}/page_files.c)
    target_include_directories(edgewise_program PRIVATE ${view} tools)
    target_link_libraries(edgewise_program PRIVATE edgewise_view edgewise_study edgewise)
endif()
# The same `run` by several processes: all of the program but its main.
if(EW_WITH_MPI)
    add_executable(edgewise_mpi tools/mpi/edgewise_mpi.c
                   $<FILTER:$<TARGET_OBJECTS:edgewise_program>,EXCLUDE,tools/edgewise\\.c>)
    set_target_properties(edgewise_mpi PROPERTIES OUTPUT_NAME edgewise-mpi)
    target_compile_definitions(edgewise_mpi PRIVATE EW_BUILD_BENCH=0)
    target_include_directories(edgewise_mpi PRIVATE tools)
    target_link_libraries(edgewise_mpi PRIVATE edgewise_distributed ${libraries} Edgewise::dependencies)
    if(EW_WITH_VIEW)
        target_link_libraries(edgewise_mpi PRIVATE edgewise_view)
    endif()
    install(TARGETS edgewise_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS edgewise_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# edgewise.1, and edgewise-COMMAND.1 for each command, from what --help prints.
set(manual ${PROJECT_BINARY_DIR}/man)
add_custom_command(OUTPUT ${manual}/edgewise.1
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:edgewise_program> -DOUTPUT=${manual}
            -P ${PROJECT_SOURCE_DIR}/tools/manual.cmake
    DEPENDS edgewise_program tools/manual.cmake
    COMMENT "Manual pages from --help" VERBATIM)
add_custom_target(edgewise_manual ALL DEPENDS ${manual}/edgewise.1)
install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")

# Completion for shells, from the tables of commands and options.
set(completion ${PROJECT_BINARY_DIR}/completion)
file(MAKE_DIRECTORY ${completion})
foreach(shell bash zsh fish)
    add_custom_command(OUTPUT ${completion}/${shell}
        COMMAND edgewise_program completion ${shell} > ${completion}/${shell}
        DEPENDS edgewise_program VERBATIM)
    list(APPEND completions ${completion}/${shell})
endforeach()
add_custom_target(edgewise_completion ALL DEPENDS ${completions})
install(FILES ${completion}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME edgewise)
install(FILES ${completion}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _edgewise)
install(FILES ${completion}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
        RENAME edgewise.fish)

# The documents stand to each other as in the source tree; cases and meshes beside their README.
set(document_dir ${CMAKE_INSTALL_DATADIR}/doc/edgewise)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${document_dir})
install(FILES lib/README.md lib/glossary.md DESTINATION ${document_dir}/lib)
install(DIRECTORY datasets DESTINATION ${document_dir} PATTERN make.sh EXCLUDE)
install(FILES lib/results/README.md DESTINATION ${document_dir}/lib/results)
install(FILES bench/README.md DESTINATION ${document_dir}/bench)
