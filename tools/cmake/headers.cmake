# The public headers as others include them: <edgewise/mesh.h> for what is "mesh/mesh.h" here, and
# <edgewise/edgewise.h> for all of the core. Written when they or their sources change, into
# EW_HEADERS/edgewise; installed from there.
set(EW_HEADERS ${PROJECT_BINARY_DIR}/include)
set(rewritten "")
set(EW_UMBRELLA "")
foreach(module IN LISTS EW_MODULES)
    set(output ${EW_HEADERS}/edgewise/${module}.h)
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DINPUT=${PROJECT_SOURCE_DIR}/lib/${module}/${module}.h
                -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/tools/cmake/public_header.cmake
        DEPENDS lib/${module}/${module}.h tools/cmake/public_header.cmake
        COMMENT "Header <edgewise/${module}.h>" VERBATIM)
    list(APPEND rewritten ${output})
    if(module IN_LIST EW_CORE_MODULES)
        string(APPEND EW_UMBRELLA "#include <edgewise/${module}.h>\n")
    endif()
endforeach()
configure_file(lib/edgewise.h.in ${EW_HEADERS}/edgewise/edgewise.h @ONLY)
add_custom_target(edgewise_headers ALL DEPENDS ${rewritten})
