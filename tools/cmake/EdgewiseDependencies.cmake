# Finds what the libraries link with. Read by the build and, installed beside
# EdgewiseConfig.cmake, by programs that use the static libraries. By the switches EW_WITH_OPENCL,
# EW_WITH_METIS and EW_OPENMP it gives Edgewise::dependencies, what the core needs; with
# EW_WITH_STUDY Edgewise::study_dependencies, with EW_WITH_TETGEN Edgewise::tetgen_dependencies, with
# EW_WITH_CHOLMOD Edgewise::cholmod_dependencies.
add_library(Edgewise::dependencies INTERFACE IMPORTED GLOBAL)
target_link_libraries(Edgewise::dependencies INTERFACE m)

if(EW_WITH_OPENCL)
    find_package(OpenCL)
    if(NOT OpenCL_FOUND)
        message(FATAL_ERROR "OpenCL was not found: install the Debian packages ocl-icd-opencl-dev "
                            "and opencl-headers, or configure with -DEW_WITH_OPENCL=OFF.")
    endif()
    target_compile_definitions(Edgewise::dependencies INTERFACE CL_TARGET_OPENCL_VERSION=120)
    target_link_libraries(Edgewise::dependencies INTERFACE OpenCL::OpenCL)
endif()

if(EW_WITH_METIS)
    find_path(EW_METIS_INCLUDE metis.h)
    find_library(EW_METIS_LIBRARY metis)
    if(NOT EW_METIS_INCLUDE OR NOT EW_METIS_LIBRARY)
        message(FATAL_ERROR "METIS was not found: install the Debian package libmetis-dev, "
                            "or configure with -DEW_WITH_METIS=OFF.")
    endif()
    target_include_directories(Edgewise::dependencies INTERFACE ${EW_METIS_INCLUDE})
    target_link_libraries(Edgewise::dependencies INTERFACE ${EW_METIS_LIBRARY})
endif()

if(EW_OPENMP)
    find_package(OpenMP COMPONENTS C)
endif()

if(EW_WITH_STUDY)
    find_package(PkgConfig REQUIRED)
    # Debian names its serial build hdf5-serial; elsewhere hdf5.
    pkg_search_module(EW_HDF5 IMPORTED_TARGET GLOBAL hdf5-serial hdf5)
    if(NOT EW_HDF5_FOUND)
        message(FATAL_ERROR "Case files and results need HDF5: install the Debian package "
                            "libhdf5-dev, or configure with -DEW_WITH_STUDY=OFF.")
    endif()
    pkg_check_modules(EW_YAML IMPORTED_TARGET GLOBAL yaml-0.1)
    if(NOT EW_YAML_FOUND)
        message(FATAL_ERROR "Case files need libyaml: install the Debian package libyaml-dev, "
                            "or configure with -DEW_WITH_STUDY=OFF.")
    endif()
    add_library(Edgewise::study_dependencies INTERFACE IMPORTED GLOBAL)
    target_link_libraries(Edgewise::study_dependencies
                          INTERFACE PkgConfig::EW_HDF5 PkgConfig::EW_YAML m)
    if(EW_WITH_NLOPT)
        pkg_check_modules(EW_NLOPT IMPORTED_TARGET GLOBAL nlopt)
        if(NOT EW_NLOPT_FOUND)
            message(FATAL_ERROR "Searches need NLopt: install the Debian package libnlopt-dev, or "
                                "configure with -DEW_WITH_NLOPT=OFF.")
        endif()
        target_link_libraries(Edgewise::study_dependencies INTERFACE PkgConfig::EW_NLOPT)
    endif()
    if(EW_WITH_EXPAT)
        pkg_check_modules(EW_EXPAT IMPORTED_TARGET GLOBAL expat)
        if(NOT EW_EXPAT_FOUND)
            message(FATAL_ERROR "SOFA scenes need expat: install the Debian package "
                                "libexpat1-dev, or configure with -DEW_WITH_EXPAT=OFF.")
        endif()
        target_link_libraries(Edgewise::study_dependencies INTERFACE PkgConfig::EW_EXPAT)
    endif()
endif()

if(EW_WITH_TETGEN)
    find_path(EW_TETGEN_INCLUDE tetgen.h)
    find_library(EW_TETGEN_LIBRARY NAMES tet tetgen)
    if(NOT EW_TETGEN_INCLUDE OR NOT EW_TETGEN_LIBRARY)
        message(FATAL_ERROR "TetGen was not found: install the Debian package libtet1.5-dev, "
                            "or configure with -DEW_WITH_TETGEN=OFF.")
    endif()
    add_library(Edgewise::tetgen_dependencies INTERFACE IMPORTED GLOBAL)
    target_include_directories(Edgewise::tetgen_dependencies SYSTEM
                               INTERFACE ${EW_TETGEN_INCLUDE})
    target_link_libraries(Edgewise::tetgen_dependencies INTERFACE ${EW_TETGEN_LIBRARY})
endif()

# For the build alone: what the program serves pages with.
if(EW_WITH_VIEW)
    find_path(EW_CIVETWEB_INCLUDE civetweb.h)
    find_library(EW_CIVETWEB_LIBRARY civetweb)
    find_path(EW_CJSON_INCLUDE cjson/cJSON.h)
    find_library(EW_CJSON_LIBRARY cjson)
    find_package(Threads)
    if(NOT EW_CIVETWEB_LIBRARY OR NOT EW_CJSON_LIBRARY OR NOT EW_CIVETWEB_INCLUDE OR
       NOT EW_CJSON_INCLUDE OR NOT Threads_FOUND)
        message(FATAL_ERROR "civetweb or cJSON was not found: install the Debian packages "
                            "libcivetweb-dev and libcjson-dev, or configure with -DEW_WITH_VIEW=OFF.")
    endif()
    add_library(Edgewise::view_dependencies INTERFACE IMPORTED GLOBAL)
    target_include_directories(Edgewise::view_dependencies SYSTEM
                               INTERFACE ${EW_CIVETWEB_INCLUDE} ${EW_CJSON_INCLUDE})
    target_link_libraries(Edgewise::view_dependencies
                          INTERFACE ${EW_CIVETWEB_LIBRARY} ${EW_CJSON_LIBRARY} Threads::Threads)
endif()

# For the build alone: a program of its own links with them.
if(EW_WITH_GMSH)
    find_path(EW_GMSH_INCLUDE gmsh.h)
    find_library(EW_GMSH_LIBRARY gmsh)
    find_path(EW_OCCT_INCLUDE STEPControl_Reader.hxx PATH_SUFFIXES opencascade)
    find_library(EW_OCCT_DESTEP TKDESTEP) # OpenCASCADE 7.8 and newer: one library for each format
    if(EW_OCCT_DESTEP)
        set(formats DESTEP DEIGES)
    else()
        set(formats STEP STEPBase STEPAttr STEP209 IGES)
    endif()
    set(occt "")
    foreach(name ${formats} XSBase Fillet Bool BO ShHealing Prim TopAlgo
            BRep GeomBase G3d Math ernel)
        find_library(EW_OCCT_${name} TK${name})
        list(APPEND occt ${EW_OCCT_${name}})
    endforeach()
    if(NOT EW_GMSH_INCLUDE OR NOT EW_GMSH_LIBRARY OR NOT EW_OCCT_INCLUDE OR occt MATCHES NOTFOUND)
        message(FATAL_ERROR "Gmsh or OpenCASCADE was not found: install the Debian packages "
                            "libgmsh-dev and libocct-data-exchange-dev, or configure with "
                            "-DEW_WITH_GMSH=OFF.")
    endif()
    add_library(Edgewise::gmsh_dependencies INTERFACE IMPORTED GLOBAL)
    target_include_directories(Edgewise::gmsh_dependencies SYSTEM
                               INTERFACE ${EW_GMSH_INCLUDE} ${EW_OCCT_INCLUDE})
    target_link_libraries(Edgewise::gmsh_dependencies INTERFACE ${EW_GMSH_LIBRARY} ${occt})
endif()

if(EW_WITH_CHOLMOD)
    find_path(EW_CHOLMOD_INCLUDE cholmod.h PATH_SUFFIXES suitesparse)
    find_library(EW_CHOLMOD_LIBRARY cholmod)
    find_library(EW_LAPACK_LIBRARY lapack)
    find_path(EW_ARPACK_INCLUDE arpack/arpack.h)
    find_library(EW_ARPACK_LIBRARY arpack)
    if(NOT EW_CHOLMOD_INCLUDE OR NOT EW_CHOLMOD_LIBRARY OR NOT EW_LAPACK_LIBRARY OR
       NOT EW_ARPACK_INCLUDE OR NOT EW_ARPACK_LIBRARY)
        message(FATAL_ERROR "CHOLMOD, LAPACK or ARPACK was not found: install the Debian packages "
                            "libsuitesparse-dev and libarpack2-dev, or configure with "
                            "-DEW_WITH_CHOLMOD=OFF.")
    endif()
    add_library(Edgewise::cholmod_dependencies INTERFACE IMPORTED GLOBAL)
    target_include_directories(Edgewise::cholmod_dependencies SYSTEM
                               INTERFACE ${EW_CHOLMOD_INCLUDE} ${EW_ARPACK_INCLUDE})
    target_link_libraries(Edgewise::cholmod_dependencies
                          INTERFACE ${EW_CHOLMOD_LIBRARY} ${EW_ARPACK_LIBRARY} ${EW_LAPACK_LIBRARY} m
                                    ${CMAKE_DL_LIBS})
endif()
