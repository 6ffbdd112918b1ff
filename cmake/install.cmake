# SPDX-License-Identifier: MIT
#
# install.cmake: libraries, headers, the CMake package, the pkg-config files, the program and its papers.

include(CMakePackageConfigHelpers)

set(RSL_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/resilin)
set(RSL_PC_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(RSL_INSTALLED)
foreach(kind IN LISTS RSL_KINDS)
    list(APPEND RSL_INSTALLED resilin_${kind})
endforeach()
set(RSL_HAVE_IO 0)
if(TARGET resilin_io_static)
    set(RSL_HAVE_IO 1)
    list(APPEND RSL_INSTALLED resilin_io_static resilin_io_shared)
    set_target_properties(resilin_io_shared PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()

install(TARGETS ${RSL_INSTALLED} EXPORT resilin)
install(DIRECTORY include/resilin DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(TARGET resilin)
    install(TARGETS resilin)
endif()

# what libresilin_io needs: as NAME=module for the CMake package, as modules for pkg-config
set(RSL_IO_MODULES)
set(RSL_PC_IO_REQUIRES)
foreach(name IN ITEMS YAML ASSIMP PNG)
    if(RSL_HAVE_${name})
        string(APPEND RSL_IO_MODULES " RSL_${name}_MODULE=${RSL_${name}_NEEDS}")
        string(APPEND RSL_PC_IO_REQUIRES " ${RSL_${name}_NEEDS}")
    endif()
endforeach()

# the CMake package
install(EXPORT resilin NAMESPACE resilin:: FILE resilinTargets.cmake DESTINATION ${RSL_PACKAGE_DIR})
configure_package_config_file(cmake/resilinConfig.cmake.in ${PROJECT_BINARY_DIR}/resilinConfig.cmake
    INSTALL_DESTINATION ${RSL_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/resilinConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/resilinConfig.cmake ${PROJECT_BINARY_DIR}/resilinConfigVersion.cmake
    DESTINATION ${RSL_PACKAGE_DIR})

# pkg-config; the prefix is found from the place of the .pc file, so that the tree can be moved
file(RELATIVE_PATH RSL_PC_TO_PREFIX /${RSL_PC_DIR} /)
string(REGEX REPLACE "/$" "" RSL_PC_TO_PREFIX "${RSL_PC_TO_PREFIX}")
configure_file(cmake/resilin.pc.in ${PROJECT_BINARY_DIR}/resilin.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/resilin.pc DESTINATION ${RSL_PC_DIR})
if(RSL_HAVE_IO)
    configure_file(cmake/resilin-io.pc.in ${PROJECT_BINARY_DIR}/resilin-io.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/resilin-io.pc DESTINATION ${RSL_PC_DIR})
endif()

# papers
install(FILES docs/resilin.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/resilin OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# the page of the studio, where it was built; the program finds it from its own place
if(TARGET resilin)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/../web/ DESTINATION ${CMAKE_INSTALL_DATADIR}/resilin/studio OPTIONAL)
endif()
