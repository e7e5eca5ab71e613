# cmake --build BUILD --target docs: pages of the public headers and the glossary, by doxygen where
# it is found (Debian package doxygen). A warning of doxygen's is an error.
find_program(EW_DOXYGEN doxygen)
if(EW_DOXYGEN)
    set(EW_DOCUMENTED "${PROJECT_SOURCE_DIR}/lib/README.md ${PROJECT_SOURCE_DIR}/lib/glossary.md ${PROJECT_SOURCE_DIR}/lib/tour.md")
    foreach(header IN LISTS EW_PUBLIC_HEADERS)
        string(APPEND EW_DOCUMENTED " ${PROJECT_SOURCE_DIR}/lib/${header}")
    endforeach()
    configure_file(tools/cmake/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)
    add_custom_target(docs COMMAND ${EW_DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile
                      COMMENT "Pages below ${PROJECT_BINARY_DIR}/docs/html" VERBATIM)
endif()
