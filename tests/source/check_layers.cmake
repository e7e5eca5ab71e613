# cmake -DSOURCE_DIR=. -DMODULES=base,device,... -P check_layers.cmake
# A module may include its own headers, the headers of base, the public headers (and those in parts/)
# of modules to its left, the formula headers of kernels/, and system headers. Names every include that breaks this.
cmake_minimum_required(VERSION 3.22)
string(REPLACE "," ";" modules "${MODULES}")
set(allowed "")
set(broken "")
set(n_include 0)
foreach(module IN LISTS modules)
    list(APPEND allowed ${module}/${module}.h ${module}/parts/${module}.h)
    file(GLOB_RECURSE files ${SOURCE_DIR}/lib/${module}/*.[ch] ${SOURCE_DIR}/lib/${module}/*.cpp)
    foreach(file IN LISTS files)
        file(STRINGS ${file} includes REGEX "^[ \t]*#[ \t]*include[ \t]*\"")
        foreach(line IN LISTS includes)
            string(REGEX REPLACE "^[^\"]*\"([^\"]+)\".*" "\\1" header "${line}")
            math(EXPR n_include "${n_include} + 1")
            if(header IN_LIST allowed OR header MATCHES "^ew_(kernels|parts)[.]h$" OR
               (header MATCHES "^base/" AND EXISTS ${SOURCE_DIR}/lib/${header}) OR
               (header MATCHES "^${module}/" AND EXISTS ${SOURCE_DIR}/lib/${header}) OR
               (NOT header MATCHES "/" AND (EXISTS ${SOURCE_DIR}/lib/${module}/${header} OR
                                            EXISTS ${SOURCE_DIR}/kernels/${header})))
                continue()
            endif()
            file(RELATIVE_PATH name ${SOURCE_DIR} ${file})
            string(APPEND broken "\n  ${name}: #include \"${header}\"")
        endforeach()
    endforeach()
endforeach()

file(GLOB folders RELATIVE ${SOURCE_DIR}/lib LIST_DIRECTORIES true ${SOURCE_DIR}/lib/*)
foreach(folder IN LISTS folders)
    if(IS_DIRECTORY ${SOURCE_DIR}/lib/${folder} AND NOT folder IN_LIST modules)
        string(APPEND broken "\n  lib/${folder} is not in the list of modules")
    endif()
endforeach()
if(broken OR n_include EQUAL 0)
    message(FATAL_ERROR "Modules include themselves and modules to their left only "
                        "(${MODULES}):${broken}")
endif()
message(STATUS "${n_include} includes keep the order of the modules")
