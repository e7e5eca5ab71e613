# cmake --install: libraries, public headers, a CMake package and pkg-config files: one for the core,
# one for case files and results, one for TetGen, one for CHOLMOD.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Edgewise)

foreach(library IN LISTS libraries)
    set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
    if(library MATCHES "edgewise_(cholmod|tetgen)")
        set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME ${CMAKE_MATCH_1})
    endif()
    set(export EdgewiseTargets)
    if(NOT library STREQUAL edgewise)
        string(REPLACE edgewise_ Edgewise- export ${library})
    endif()
    install(TARGETS ${library} EXPORT ${export}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(EXPORT ${export} NAMESPACE Edgewise:: DESTINATION ${package_dir})
endforeach()
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
if(EW_WITH_STUDY)
    set(headers ${EW_PUBLIC_HEADERS})
else()
    set(headers ${EW_CORE_HEADERS})
endif()
list(APPEND headers ${EW_LIBRARY_HEADERS})
set(parts ${headers})
list(FILTER headers EXCLUDE REGEX "/parts/")
list(FILTER parts INCLUDE REGEX "/parts/")
list(TRANSFORM headers REPLACE ".+/" "${EW_HEADERS}/edgewise/")
list(TRANSFORM parts REPLACE ".+/" "${EW_HEADERS}/edgewise/parts/")
install(FILES ${headers} ${EW_HEADERS}/edgewise/edgewise.h ${EW_HEADERS}/edgewise/parts.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/edgewise)
install(FILES ${parts} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/edgewise/parts)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/edgewise)

configure_package_config_file(tools/cmake/EdgewiseConfig.cmake.in
    ${PROJECT_BINARY_DIR}/EdgewiseConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/EdgewiseConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/EdgewiseConfig.cmake
              ${PROJECT_BINARY_DIR}/EdgewiseConfigVersion.cmake
              tools/cmake/EdgewiseDependencies.cmake
        DESTINATION ${package_dir})

# ew_pkg_config(NAME TITLE REQUIRES MODULES LIBRARIES): NAME.pc. What a static library links with is
# for every program that links it; with a shared one only pkg-config --static asks.
file(RELATIVE_PATH pc_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
function(ew_pkg_config name title requires modules libs)
    set(pc_name ${name})
    string(REPLACE - _ pc_library ${name})
    set(pc_title ${title})
    set(pc_requires ${requires})
    set(pc_requires_private "")
    set(pc_libs_private "")
    if(BUILD_SHARED_LIBS)
        string(JOIN ", " pc_requires_private ${modules})
        set(pc_libs_private ${libs})
        set(pc_libs "")
    else()
        string(JOIN ", " pc_requires ${requires} ${modules})
        set(pc_libs " ${libs}")
    endif()
    configure_file(tools/cmake/edgewise.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

set(links "")
if(EW_WITH_OPENCL)
    list(APPEND links -lOpenCL)
endif()
if(EW_WITH_METIS)
    list(APPEND links -lmetis)
endif()
if(EW_OPENMP AND OpenMP_C_FOUND)
    list(APPEND links ${OpenMP_C_FLAGS})
endif()
string(JOIN " " links ${links} -lm)
ew_pkg_config(edgewise "${PROJECT_DESCRIPTION}" "" "" "${links}")
if(EW_WITH_STUDY)
    set(needed ${EW_HDF5_MODULE_NAME} yaml-0.1)
    if(EW_WITH_NLOPT)
        list(APPEND needed nlopt)
    endif()
    if(EW_WITH_EXPAT)
        list(APPEND needed expat)
    endif()
    ew_pkg_config(edgewise-study "Case files and results of Edgewise"
        "edgewise = ${PROJECT_VERSION}" "${needed}" "-lm")
endif()
if(EW_WITH_TETGEN)
    ew_pkg_config(edgewise-tetgen "Surfaces filled with tets by TetGen (AGPL)"
        "edgewise = ${PROJECT_VERSION}" "" "-ltet -lstdc++")
endif()
if(EW_WITH_CHOLMOD)
    ew_pkg_config(edgewise-cholmod "The direct solver of Edgewise, by CHOLMOD (GPL)"
        "edgewise = ${PROJECT_VERSION}" "" "-lcholmod -larpack -llapack")
endif()
