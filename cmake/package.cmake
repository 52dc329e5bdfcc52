# What is installed beside the libraries and the tool: headers, find_package(apart), the licence. And how to take all of
# it away again.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/apart)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/apartConfig.cmake.in apartConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(apartConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/apartConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/apartConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT development)
install(EXPORT apart NAMESPACE apart:: FILE apartTargets.cmake DESTINATION ${package_dir} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
foreach(component runtime development tool)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${component})
endforeach()

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall VERBATIM
    COMMAND ${CMAKE_COMMAND} -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake ${PROJECT_BINARY_DIR})
endif()
