# cmake -DKERNEL=x.cl -DNAME=x -DOUTPUT=x.c -P embed.cmake
# In: an OpenCL C file. Out: a C file with its text as ew_kernel_<NAME>[], where the
# first #include "y.h" of every file beside it is replaced by that file and later ones
# are dropped. A byte array, because string literals meet compiler limits.
cmake_minimum_required(VERSION 3.22)
get_filename_component(folder "${KERNEL}" DIRECTORY)
file(READ "${KERNEL}" text)
set(seen "")
while(text MATCHES "(^|\n)[ \t]*#[ \t]*include[ \t]*\"([^\"\n]+)\"")
    set(directive "${CMAKE_MATCH_0}")
    set(header "${CMAKE_MATCH_2}")
    set(body "")
    if(NOT "${header}" IN_LIST seen)
        if(NOT EXISTS "${folder}/${header}")
            message(FATAL_ERROR "${KERNEL}: #include \"${header}\" is not a file beside it")
        endif()
        file(READ "${folder}/${header}" body)
        list(APPEND seen "${header}")
    endif()
    string(FIND "${text}" "${directive}" at)
    string(LENGTH "${directive}" length)
    string(SUBSTRING "${text}" 0 ${at} before)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${text}" ${at} -1 after)
    set(text "${before}\n${body}${after}")
endwhile()

file(WRITE "${OUTPUT}.text" "${text}")
file(READ "${OUTPUT}.text" bytes HEX)
file(REMOVE "${OUTPUT}.text")
string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1', " bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include \"ew_kernels.h\"\n\n"
     "const char ew_kernel_${NAME}[] = {\n    ${bytes}'\\0'};\n")
