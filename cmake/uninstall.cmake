# Removes what cmake --install of a build directory has written, by its list, and the folders that it leaves empty.
# DESTDIR is honoured.
#
#     cmake -P cmake/uninstall.cmake BUILD_DIR
set(build ${CMAKE_ARGV3})
file(GLOB manifests ${build}/install_manifest*.txt)
if(NOT manifests)
  message(FATAL_ERROR "Nothing was installed from ${build}: there is no install_manifest.txt in it.")
endif()
foreach(manifest ${manifests})
  file(STRINGS ${manifest} files)
  foreach(name ${files})
    file(REMOVE "$ENV{DESTDIR}${name}")
    cmake_path(GET name PARENT_PATH folder)
    file(GLOB rest "$ENV{DESTDIR}${folder}/*")
    if(folder MATCHES "/apart$" AND NOT rest)
      file(REMOVE_RECURSE "$ENV{DESTDIR}${folder}")
    endif()
  endforeach()
  file(REMOVE ${manifest})
endforeach()
