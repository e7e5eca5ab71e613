# The public headers as others include them: <edgewise/mesh.h> for what is "mesh/mesh.h" here, and
# <edgewise/edgewise.h> for all of these of the core: what most programs need. A long one is divided by
# subject, MODULE_subject.h, which it includes. "mesh/parts/mesh.h" is <edgewise/parts/mesh.h>, for
# programs that work on tables themselves, and <edgewise/parts.h> all of these.
# Written when they or their sources change, into EW_HEADERS/edgewise; installed from there. A library
# beside the core that has functions of a core module has a header of its own: <edgewise/tetgen.h>.
# EW_PUBLIC_HEADERS, EW_CORE_HEADERS: as MODULE/NAME, of all modules and of the core.
set(EW_HEADERS ${PROJECT_BINARY_DIR}/include)
set(rewritten "")
set(EW_PUBLIC_HEADERS "")
set(EW_CORE_HEADERS "")
set(EW_UMBRELLA "")
set(EW_PARTS "")

# ew_public_header(MODULE/NAME.h): <edgewise/NAME.h> from lib/MODULE/NAME.h, and parts/NAME.h likewise.
function(ew_public_header header)
    string(REGEX REPLACE "^[^/]*/(.*)$" "\\1" name ${header})
    set(output ${EW_HEADERS}/edgewise/${name})
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DINPUT=${PROJECT_SOURCE_DIR}/lib/${header}
                -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/tools/cmake/public_header.cmake
        DEPENDS lib/${header} tools/cmake/public_header.cmake
        COMMENT "Header <edgewise/${name}>" VERBATIM)
    set(rewritten ${rewritten} ${output} PARENT_SCOPE)
endfunction()

foreach(module IN LISTS EW_MODULES)
    file(GLOB parts RELATIVE ${PROJECT_SOURCE_DIR}/lib CONFIGURE_DEPENDS
         lib/${module}/${module}.h lib/${module}/${module}_*.h lib/${module}/parts/*.h)
    foreach(header IN LISTS parts)
        ew_public_header(${header})
    endforeach()
    list(APPEND EW_PUBLIC_HEADERS ${parts})
    if(module IN_LIST EW_CORE_MODULES)
        list(APPEND EW_CORE_HEADERS ${parts})
        if(${module}/${module}.h IN_LIST parts)
            string(APPEND EW_UMBRELLA "#include <edgewise/${module}.h>\n")
        endif()
        if(${module}/parts/${module}.h IN_LIST parts)
            string(APPEND EW_PARTS "#include <edgewise/parts/${module}.h>\n")
        endif()
    endif()
endforeach()
set(EW_LIBRARY_HEADERS "")
if(EW_WITH_TETGEN)
    list(APPEND EW_LIBRARY_HEADERS meshing/tetgen.h)
endif()
if(EW_WITH_CHOLMOD)
    list(APPEND EW_LIBRARY_HEADERS solver/cholmod.h)
endif()
foreach(header IN LISTS EW_LIBRARY_HEADERS)
    ew_public_header(${header})
endforeach()
configure_file(lib/edgewise.h.in ${EW_HEADERS}/edgewise/edgewise.h @ONLY)
configure_file(lib/parts.h.in ${EW_HEADERS}/edgewise/parts.h @ONLY)
add_custom_target(edgewise_headers ALL DEPENDS ${rewritten})

# A header that an earlier build wrote and that is no more would still be found.
file(GLOB_RECURSE stale ${EW_HEADERS}/edgewise/*.h)
list(REMOVE_ITEM stale ${rewritten} ${EW_HEADERS}/edgewise/edgewise.h ${EW_HEADERS}/edgewise/parts.h)
if(stale)
    file(REMOVE ${stale})
endif()
