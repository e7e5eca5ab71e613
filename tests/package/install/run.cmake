# Installs the build beside itself and builds the programs of this folder against what was
# installed, through the CMake package and through pkg-config. Then the same with a second build
# whose libraries are of the other kind, shared or static.
cmake_minimum_required(VERSION 3.22)
set(root ${BUILD_DIR}/install-test)
file(REMOVE_RECURSE ${root}/installed)
set(parts study)
if(WITH_TETGEN)
    list(APPEND parts tetgen)
endif()
if(WITH_CHOLMOD)
    list(APPEND parts cholmod)
endif()
string(REPLACE ";" "," with_commas "${parts}")

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
                    ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        string(REPLACE ";" " " command "${ARGN}")
        message(FATAL_ERROR "failed (${status}): ${command}\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# The program by pkg-config's word alone.
function(build_by_pkg_config prefix name package)
    set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig:$ENV{PKG_CONFIG_PATH})
    execute_process(COMMAND pkg-config --cflags --libs ${package} OUTPUT_VARIABLE flags
                    RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "pkg-config does not find ${package}")
    endif()
    separate_arguments(flags UNIX_COMMAND "${flags}")
    set(program ${prefix}/by-pkg-config-${name})
    run(${CC} -std=c11 -Wall -Wextra -Wpedantic -Werror ${SOURCE_DIR}/${name}.c -o ${program}
        ${flags} -lm -Wl,-rpath,${prefix}/${LIBDIR})
    run(${program})
endfunction()

# Nothing of HDF5 and libyaml in the core, nor in a program that uses it alone.
function(check_core prefix)
    set(core ${prefix}/${LIBDIR}/libedgewise.a)
    if(EXISTS ${prefix}/${LIBDIR}/libedgewise.so)
        set(core ${prefix}/${LIBDIR}/libedgewise.so)
    endif()
    foreach(command "nm -u ${core}" "readelf -d ${prefix}/by-pkg-config-core")
        separate_arguments(command)
        run(${command})
        if(output MATCHES "U (H5|yaml_)|lib(hdf5|yaml)")
            message(FATAL_ERROR "${command} names ${CMAKE_MATCH_0}: not for the core")
        endif()
    endforeach()
endfunction()

function(check_files prefix)
    foreach(file include/edgewise/edgewise.h include/edgewise/mesh.h include/edgewise/study.h
            share/man/man1/edgewise.1 share/man/man1/edgewise-run.1
            share/man/man1/edgewise-smooth.1 share/doc/edgewise/README.md
            share/doc/edgewise/datasets/README.md share/doc/edgewise/lib/results/README.md)
        if(NOT EXISTS ${prefix}/${file})
            message(FATAL_ERROR "not installed: ${file}")
        endif()
    endforeach()
    foreach(private tet.h real.h linear.h internal.h)
        file(GLOB_RECURSE found ${prefix}/include/${private})
        if(found)
            message(FATAL_ERROR "installed, but private: ${found}")
        endif()
    endforeach()
    run(${prefix}/bin/edgewise --version)
endfunction()

function(check_installed build prefix)
    run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
    check_files(${prefix})
    run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${prefix}/package -DCMAKE_PREFIX_PATH=${prefix}
        -DCMAKE_C_COMPILER=${CC} -DPARTS=${with_commas})
    run(${CMAKE_COMMAND} --build ${prefix}/package)
    build_by_pkg_config(${prefix} core edgewise)
    run(${prefix}/package/core)
    foreach(part IN LISTS parts)
        build_by_pkg_config(${prefix} ${part} edgewise-${part})
        run(${prefix}/package/${part})
    endforeach()
    check_core(${prefix})
endfunction()

check_installed(${BUILD_DIR} ${root}/installed/first)

# The build of the other kind is kept from run to run: only what changed is compiled again. Its options
# are those of the first and its folder stands beside that one, so that a cache of the compiler (ccache) has
# the files already: paths from build to source are alike.
set(other_build ${BUILD_DIR}-install)
if(SHARED)
    set(other OFF)
else()
    set(other ON)
endif()
run(${CMAKE_COMMAND} -S ${SOURCE_DIR}/../../.. -B ${other_build} -G ${GENERATOR}
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=${other}
    -DEW_WITH_TETGEN=${WITH_TETGEN} -DEW_WITH_OPENCL=${WITH_OPENCL} -DEW_WITH_METIS=${WITH_METIS}
    -DEW_WITH_CHOLMOD=${WITH_CHOLMOD} -DEW_WITH_EXPAT=${WITH_EXPAT}
    -DEW_WERROR=${WERROR} -DEW_BUILD_TESTS=OFF -DEW_BUILD_BENCH=OFF)
run(${CMAKE_COMMAND} --build ${other_build} --parallel 2)
check_installed(${other_build} ${root}/installed/second)
