# cmake -DINPUT=lib/mesh/mesh.h -DOUTPUT=mesh.h -P public_header.cmake
# Writes a public header with #include "base/base.h" as #include <edgewise/base.h>. A public header
# includes public headers and system headers alone.
file(READ ${INPUT} text)
string(REGEX MATCHALL "#include \"[^\"]*\"" includes "${text}")
foreach(include IN LISTS includes)
    string(REGEX REPLACE ".*\"(.*)\"" "\\1" header "${include}")
    string(REGEX REPLACE "/.*" "" module ${header})
    get_filename_component(name ${header} NAME_WE)
    if(NOT (name STREQUAL module OR name MATCHES "^${module}_"))
        message(FATAL_ERROR "${INPUT} is public and includes \"${header}\": include public headers "
                            "only, as \"module/module.h\" or \"module/parts/module.h\"")
    endif()
    string(REGEX MATCH "/(parts/)?[^/]*$" place ${header})
    string(REPLACE "${include}" "#include <edgewise${place}>" text "${text}")
endforeach()
file(WRITE ${OUTPUT} "${text}")
