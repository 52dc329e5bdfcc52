# What the CMakeLists of the folders share.

# apart_find(NAME): looks for NAME.h and libNAME. Sets NAME_FOUND and makes the target apart_NAME. Works without
# pkg-config, which may not be there.
function(apart_find name)
  find_path(${name}_INCLUDE_DIR ${name}.h)
  find_library(${name}_LIBRARY ${name})
  mark_as_advanced(${name}_INCLUDE_DIR ${name}_LIBRARY)
  set(${name}_FOUND OFF PARENT_SCOPE)
  if(NOT ${name}_INCLUDE_DIR OR NOT ${name}_LIBRARY)
    return()
  endif()
  set(${name}_FOUND ON PARENT_SCOPE)
  if(NOT TARGET apart_${name})
    add_library(apart_${name} INTERFACE)
    target_include_directories(apart_${name} SYSTEM INTERFACE ${${name}_INCLUDE_DIR})
    target_link_libraries(apart_${name} INTERFACE ${${name}_LIBRARY})
  endif()
endfunction()

# apart_library(TARGET FILE SHARED STATIC link...): the library libFILE of the objects of TARGET_objects, with its
# pkg-config file from cmake/FILE.pc.in. TARGET_shared is apart::SHARED, TARGET_static is apart::STATIC. The rest goes
# to target_link_libraries; KIND in it becomes shared or static. APART_KINDS says which of the two are for users; if
# that is the static one alone, apart::SHARED is another name for it. The static one is always known: our own programs
# use internals, which the shared one hides.
function(apart_library target file shared static)
  set(libraries "")
  foreach(kind SHARED STATIC)
    string(TOLOWER ${kind} suffix)
    set(library ${target}_${suffix})
    add_library(${library} ${kind} $<TARGET_OBJECTS:${target}_objects>)
    target_include_directories(${library} INTERFACE
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    string(REPLACE KIND ${suffix} links "${ARGN}")
    target_link_libraries(${library} ${links})
    set_target_properties(${library} PROPERTIES OUTPUT_NAME ${file} EXPORT_NAME ${${suffix}})
    if(kind IN_LIST APART_KINDS)
      list(APPEND libraries ${library})
      add_library(apart::${${suffix}} ALIAS ${library})
    else()
      set_target_properties(${library} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endforeach()
  set_target_properties(${target}_shared PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(NOT TARGET apart::${shared})
    add_library(apart::${shared} ALIAS ${target}_static)
  endif()
  if(APART_INSTALL)
    install(TARGETS ${libraries} EXPORT apart
      LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
      ARCHIVE COMPONENT development)
    apart_install_pkgconfig(${file})
  endif()
endfunction()

# The pkg-config file refers to where it lies, so that the whole tree may be moved. What follows @private@ in it is for
# the static library; where that is the only one, it is for all.
function(apart_install_pkgconfig file)
  file(RELATIVE_PATH to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  set(prefix "\${prefix}") # nothing is put before an absolute folder
  cmake_path(APPEND prefix ${CMAKE_INSTALL_LIBDIR} OUTPUT_VARIABLE libdir)
  cmake_path(APPEND prefix ${CMAKE_INSTALL_INCLUDEDIR} OUTPUT_VARIABLE includedir)
  set(private "")
  if(SHARED IN_LIST APART_KINDS)
    set(private "\nLibs.private:")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${file}.pc.in ${file}.pc.in @ONLY)
  file(GENERATE OUTPUT ${file}.pc INPUT ${CMAKE_CURRENT_BINARY_DIR}/${file}.pc.in)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${file}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endfunction()

# apart_find_python(): sets Python_EXECUTABLE to the first interpreter that has what the module and its tests need:
# headers, NumPy and pytest. Several may be installed, and the first one on the path may have none of them.
function(apart_find_python)
  find_program(first_python NAMES python3 NO_CACHE)
  foreach(python ${first_python} /usr/bin/python3)
    execute_process(RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET COMMAND ${python} -c
      "import numpy, pytest, sys, sysconfig, os
sys.exit(sys.version_info < (3, 11) or not os.path.exists(os.path.join(sysconfig.get_path('include'), 'Python.h')))")
    if(missing EQUAL 0)
      set(Python_EXECUTABLE ${python} CACHE FILEPATH "The interpreter of the Python module")
      message(STATUS "The Python module is built and tested with ${python}")
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "The Python module needs Python 3.11 with its headers, NumPy and pytest (Debian: python3-dev "
    "python3-numpy python3-pytest); -DPython_EXECUTABLE=... names an interpreter, -DAPART_PYTHON=OFF leaves it out.")
endfunction()
