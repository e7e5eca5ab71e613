# Installs the build beside itself, then builds and runs main.c against the installed
# files twice: through the CMake package and through pkg-config.
cmake_minimum_required(VERSION 3.22)
set(root ${BUILD_DIR}/install-test)
set(prefix ${root}/prefix)
file(REMOVE_RECURSE ${root})

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        string(REPLACE ";" " " command "${ARGN}")
        message(FATAL_ERROR "failed (${status}): ${command}")
    endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${root}/package -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_C_COMPILER=${CC} -DWITH_TETGEN=${WITH_TETGEN})
run(${CMAKE_COMMAND} --build ${root}/package)
run(${root}/package/installed)

set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig:$ENV{PKG_CONFIG_PATH})
execute_process(COMMAND pkg-config --static --cflags --libs edgewise
                OUTPUT_VARIABLE flags RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "pkg-config does not find edgewise")
endif()
separate_arguments(flags UNIX_COMMAND "${flags}")
run(${CC} -std=c11 ${SOURCE_DIR}/main.c -o ${root}/by-pkg-config ${flags}
    -Wl,-rpath,${prefix}/${LIBDIR})
run(${root}/by-pkg-config)
