# The Python package within the repository's build, in BUILD/python: what the tests import and Debian's
# python3-edgewise installs. The shared libraries are linked from the object files that there are.
find_program(EW_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(EW_PYTHON NAMES python3)
set(EW_MODULE_PYTHON ${EW_PYTHON})
if(EW_PYTHON AND NOT EW_FUZZ)
    execute_process(COMMAND ${EW_PYTHON} -c "import os, sysconfig, cffi, numpy
folder = sysconfig.get_paths()['include']
print(folder if os.path.exists(os.path.join(folder, 'Python.h')) else '', end='')"
        OUTPUT_VARIABLE EW_MODULE_INCLUDE ERROR_QUIET)
endif()
if(EW_MODULE_INCLUDE)
    set(has_python ON)
endif()
option(EW_WITH_PYTHON "The Python package in the build folder (Python.h, cffi, numpy)" ${has_python})
if(NOT EW_WITH_PYTHON)
    return()
endif()
include(tools/python/binding/modules.cmake)
set(package ${PROJECT_BINARY_DIR}/python)

# python_component(PACKAGE VARIABLE): the component of the installation that a package is part of.
function(python_component name variable)
    string(REPLACE edgewise_ "" component ${name})
    if(name STREQUAL edgewise)
        set(component python)
    endif()
    set(${variable} ${component} PARENT_SCOPE)
endfunction()

# python_library(PACKAGE LIBRARY DEPENDENCIES...): libLIBRARY.so in PACKAGE.
function(python_library folder library)
    python_component(${folder} component)
    add_library(${library}_of_python SHARED $<TARGET_OBJECTS:${library}_objects>)
    target_link_libraries(${library}_of_python PRIVATE ${ARGN})
    set_target_properties(${library}_of_python PROPERTIES OUTPUT_NAME ${library}
        VERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
        LIBRARY_OUTPUT_DIRECTORY ${package}/${folder} BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN")
    install(TARGETS ${library}_of_python LIBRARY DESTINATION ${EW_PYTHON_FOLDER}/${folder}
            COMPONENT ${component} NAMELINK_SKIP EXCLUDE_FROM_ALL)
endfunction()

# python_sources(PACKAGE FOLDER): its .py files, as links in the build folder.
function(python_sources name folder)
    python_component(${name} component)
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.py ${folder}/*.pyi ${folder}/py.typed)
    file(MAKE_DIRECTORY ${package}/${name})
    foreach(source IN LISTS sources)
        get_filename_component(file ${source} NAME)
        file(CREATE_LINK ${source} ${package}/${name}/${file} SYMBOLIC)
    endforeach()
    install(FILES ${sources} DESTINATION ${EW_PYTHON_FOLDER}/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

set(EW_PYTHON_FOLDER lib/python3/dist-packages) # Debian's
set(openmp "")
if(EW_OPENMP AND OpenMP_C_FOUND)
    set(openmp OpenMP::OpenMP_C)
endif()
python_library(edgewise edgewise Edgewise::dependencies ${openmp})
edgewise_module(_ew edgewise_of_python ${EW_HEADERS} ${package}/edgewise)
set(modules _ew)
if(EW_WITH_STUDY)
    python_library(edgewise edgewise_study edgewise_of_python Edgewise::study_dependencies)
    edgewise_module(_study edgewise_study_of_python ${EW_HEADERS} ${package}/edgewise
                    --study --core $<TARGET_FILE:edgewise_of_python>)
    add_dependencies(_study edgewise_of_python)
    list(APPEND modules _study)
endif()
install(TARGETS ${modules} LIBRARY DESTINATION ${EW_PYTHON_FOLDER}/edgewise COMPONENT python
        EXCLUDE_FROM_ALL)
python_sources(edgewise ${PROJECT_SOURCE_DIR}/tools/python/edgewise)
foreach(plugin cholmod tetgen)
    string(TOUPPER ${plugin} upper)
    if(EW_WITH_${upper})
        python_library(edgewise_${plugin} edgewise_${plugin} edgewise_of_python
                       Edgewise::${plugin}_dependencies)
        python_sources(edgewise_${plugin}
                       ${PROJECT_SOURCE_DIR}/tools/python/plugins/${plugin}/edgewise_${plugin})
        # Entry points are found by this folder.
        set(info ${package}/edgewise_${plugin}-${PROJECT_VERSION}.dist-info)
        file(CONFIGURE OUTPUT ${info}/entry_points.txt
             CONTENT "[edgewise.plugins]\n${plugin} = edgewise_${plugin}:plugin\n")
        file(CONFIGURE OUTPUT ${info}/METADATA
             CONTENT "Metadata-Version: 2.1\nName: edgewise-${plugin}\nVersion: ${PROJECT_VERSION}\n")
        file(CONFIGURE OUTPUT ${package}/edgewise_${plugin}/_version.py CONTENT
"VERSION = \"${PROJECT_VERSION}\"
LIBRARY = \"libedgewise_${plugin}.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}\"\n")
        install(FILES ${package}/edgewise_${plugin}/_version.py COMPONENT ${plugin}
                DESTINATION ${EW_PYTHON_FOLDER}/edgewise_${plugin} EXCLUDE_FROM_ALL)
        install(DIRECTORY ${info} DESTINATION ${EW_PYTHON_FOLDER} COMPONENT ${plugin}
                EXCLUDE_FROM_ALL)
    endif()
endforeach()
