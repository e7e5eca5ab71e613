# cpack -G DEB: Debian packages, one for each license and use; of a build without tests (-DEW_BUILD_TESTS=OFF).
# What they depend on is found by dpkg-shlibdeps (Debian package dpkg-dev).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME edgewise)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Edgewise authors <edgewise@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/python/edgewise)
set(CPACK_COMPONENTS_ALL "")

# ew_debian_package(COMPONENT NAME LICENSE SUMMARY DEPENDS): a package of a component of the installation.
function(ew_debian_package component name license summary depends)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
    set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${PROJECT_DESCRIPTION}." PARENT_SCOPE)
    set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
    file(READ LICENSE text)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/debian/${name}/copyright
         CONTENT "${license}\n\nThe code of Edgewise:\n\n${text}" @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/debian/${name}/copyright COMPONENT ${component}
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} EXCLUDE_FROM_ALL)
endfunction()

set(linked "")
if(EW_WITH_CHOLMOD)
    string(APPEND linked " It links with CHOLMOD, parts of which are under the GPL (2 or later).")
    ew_debian_package(cholmod edgewise-cholmod
        "This package links with SuiteSparse CHOLMOD, parts of which are under the GPL (2 or later)."
        "Direct solver, vibration modes and buckling, for C and Python" "libedgewise-dev | python3-edgewise")
endif()
if(EW_WITH_TETGEN)
    string(APPEND linked " It links with TetGen, which is under the AGPL (3 or later).")
    ew_debian_package(tetgen edgewise-tetgen
        "This package links with TetGen, which is under the AGPL (3 or later)."
        "Surfaces filled with tetrahedra, for C and Python" "libedgewise-dev | python3-edgewise")
endif()
if(EW_WITH_STUDY)
    ew_debian_package(program edgewise "The program edgewise.${linked}" "The program edgewise" "")
endif()
# Static libraries: what they link with is for the programs.
set(links libc6-dev)
foreach(pair OPENCL:ocl-icd-opencl-dev METIS:libmetis-dev STUDY:libhdf5-dev STUDY:libyaml-dev
        EXPAT:libexpat1-dev NLOPT:libnlopt-dev)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 switch)
    list(GET pair 1 needed)
    if(EW_WITH_${switch})
        string(APPEND links ", ${needed}")
    endif()
endforeach()
ew_debian_package(dev libedgewise-dev "Libraries and headers of Edgewise, MIT." "Libraries and headers"
                  "${links}")
if(EW_WITH_GMSH)
    ew_debian_package(gmsh edgewise-gmsh
        "The program edgewise-gmsh links with Gmsh, which is under the GPL (2 or later)."
        "The program that meshes CAD files for Edgewise" "")
endif()
if(EW_WITH_PYTHON)
    ew_debian_package(python python3-edgewise "The Python package edgewise, MIT." "Edgewise for Python"
                      "python3 (>= 3.9), python3-cffi-backend, python3-numpy")
endif()
include(CPack)
