# cmake -DSOURCE_DIR=. -DMODULES=base,device,... -P check_source_lists.cmake
# Each source file of lib/MODULE has its line in lib/MODULE/sources.cmake, and each line its file, once.
cmake_minimum_required(VERSION 3.22)
string(REPLACE "," ";" modules "${MODULES}")
include(${SOURCE_DIR}/lib/sources.cmake)
ew_sources(sources ${modules})
set(unique ${sources})
list(REMOVE_DUPLICATES unique)
list(LENGTH sources n)
list(LENGTH unique n_unique)
if(n EQUAL 0 OR NOT n EQUAL n_unique)
    message(FATAL_ERROR "${n} lines in the lists of sources, ${n_unique} of them different")
endif()
message(STATUS "${n} source files, each in the list of its module")
