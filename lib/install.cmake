# cmake --install: libraries, public headers (one per module), a CMake package and a
# pkg-config file.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Edgewise)
set(header_dir ${CMAKE_INSTALL_INCLUDEDIR}/edgewise)

install(TARGETS ${libraries} EXPORT EdgewiseTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(module IN LISTS EW_MODULES)
    install(FILES lib/${module}/${module}.h DESTINATION ${header_dir}/${module} OPTIONAL)
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/edgewise)

install(EXPORT EdgewiseTargets NAMESPACE Edgewise:: DESTINATION ${package_dir})
configure_package_config_file(lib/EdgewiseConfig.cmake.in
    ${PROJECT_BINARY_DIR}/EdgewiseConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/EdgewiseConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/EdgewiseConfig.cmake
              ${PROJECT_BINARY_DIR}/EdgewiseConfigVersion.cmake
              lib/EdgewiseDependencies.cmake
        DESTINATION ${package_dir})

file(RELATIVE_PATH pc_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(pc_requires "${EW_HDF5_MODULE_NAME}, yaml-0.1")
set(pc_libs "-lm")
if(EW_WITH_OPENCL)
    string(APPEND pc_libs " -lOpenCL")
endif()
if(EW_WITH_METIS)
    string(APPEND pc_libs " -lmetis")
endif()
if(EW_OPENMP AND OpenMP_C_FOUND)
    string(APPEND pc_libs " ${OpenMP_C_FLAGS}")
endif()
set(pc_defines "")
foreach(switch OPENCL TETGEN METIS)
    if(EW_WITH_${switch})
        string(APPEND pc_defines " -DEW_WITH_${switch}=1")
    else()
        string(APPEND pc_defines " -DEW_WITH_${switch}=0")
    endif()
endforeach()
configure_file(lib/edgewise.pc.in ${PROJECT_BINARY_DIR}/edgewise.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/edgewise.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
