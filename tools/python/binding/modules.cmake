# edgewise_module(NAME LIBRARY HEADERS FOLDER [ARGUMENTS...]): the module FOLDER/NAME.abi3.so, with all that
# the headers in HEADERS declare and the shared library holds; for generate.py with ARGUMENTS. Needs
# EW_MODULE_PYTHON, an interpreter with cffi, and EW_MODULE_INCLUDE, the folder of its Python.h.
set(EW_BINDING ${CMAKE_CURRENT_LIST_DIR})
function(edgewise_module name library headers folder)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
    add_custom_command(OUTPUT ${source}
        COMMAND ${EW_MODULE_PYTHON} ${EW_BINDING}/generate.py --module edgewise.${name}
                --compiler ${CMAKE_C_COMPILER} --include ${headers}
                --library $<TARGET_FILE:${library}> --output ${source} ${ARGN}
        DEPENDS ${library} edgewise_headers ${EW_BINDING}/generate.py ${EW_BINDING}/declarations.py
                ${EW_BINDING}/helpers.h
        COMMENT "Declarations of ${name}" VERBATIM)
    add_library(${name} MODULE ${source})
    # Wrappers that only convert arguments: optimizing them takes minutes and gains nothing.
    target_compile_options(${name} PRIVATE -O1 -w)
    target_include_directories(${name} PRIVATE ${headers} ${EW_BINDING} SYSTEM ${EW_MODULE_INCLUDE})
    target_link_libraries(${name} PRIVATE ${library})
    set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".abi3.so" C_EXTENSIONS ON
                          C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY ${folder}
                          BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN")
endfunction()
