# Installs the shared and the static library, the public headers, and the internal headers that these include. The kernels
# are installed as a library for programs. The programs, the MPI plug-ins, and files for CMake and pkg-config are installed
# too. The installed folder may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(ATOLL_PLUGIN_FOLDER ${CMAKE_INSTALL_LIBDIR}/atoll)
set(ATOLL_CMAKE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/atoll)

# atoll_whole_library(KIND) makes libatoll of all layers, with the usage requirements of an installed target.
function(atoll_whole_library kind)
  string(TOLOWER ${kind} name)
  set(target atoll_${name})
  add_library(${target} ${kind})
  foreach(layer ${ATOLL_LAYERS})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:atoll_${layer}>)
  endforeach()
  set_target_properties(${target} PROPERTIES OUTPUT_NAME atoll EXPORT_NAME ${name}
                        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                        LINKER_LANGUAGE CXX INSTALL_RPATH "$ORIGIN/atoll")
  target_link_libraries(${target} PUBLIC atoll_language fmt::fmt
                        PRIVATE spdlog::spdlog PkgConfig::hwloc PkgConfig::zstd ZLIB::ZLIB Boost::context
                                Threads::Threads ${CMAKE_DL_LIBS})
  install(TARGETS ${target} EXPORT atoll_${name} COMPONENT library)
  install(EXPORT atoll_${name} DESTINATION ${ATOLL_CMAKE_FOLDER} NAMESPACE atoll:: COMPONENT library)
endfunction()

atoll_whole_library(STATIC)
atoll_whole_library(SHARED)

install(FILES $<TARGET_FILE:atoll_kernels> DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)

target_include_directories(atoll_language INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS atoll_language EXPORT atoll_language COMPONENT library)
install(EXPORT atoll_language DESTINATION ${ATOLL_CMAKE_FOLDER} NAMESPACE atoll:: COMPONENT library)

install(CODE "set(SOURCE ${PROJECT_SOURCE_DIR}/src)
set(TARGET \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")" COMPONENT library)
install(SCRIPT cmake/InstallHeaders.cmake COMPONENT library)
install(DIRECTORY src/atoll/shmem/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT library)

configure_package_config_file(cmake/atollConfig.cmake.in atollConfig.cmake
                              INSTALL_DESTINATION ${ATOLL_CMAKE_FOLDER}
                              PATH_VARS ATOLL_PLUGIN_FOLDER CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(atollConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/atollConfig.cmake ${PROJECT_BINARY_DIR}/atollConfigVersion.cmake
        DESTINATION ${ATOLL_CMAKE_FOLDER} COMPONENT library)

# The path from the folder of the .pc file to the prefix. It is relative, so that the installed folder may be moved.
cmake_path(SET pc_folder ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${pc_folder} OUTPUT_VARIABLE ATOLL_PREFIX_FROM_PC)
configure_file(cmake/atoll.pc.in atoll.pc @ONLY)
configure_file(cmake/atoll-shmem.pc.in atoll-shmem.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/atoll.pc ${PROJECT_BINARY_DIR}/atoll-shmem.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

foreach(library ${ATOLL_MPI_LIBRARIES})
  install(TARGETS atoll_mpi_${library} LIBRARY DESTINATION ${ATOLL_PLUGIN_FOLDER} COMPONENT ${library})
endforeach()

# A target for everything that is installed: `cmake --build FOLDER --target installed`.
add_custom_target(installed DEPENDS atoll_static atoll_shared atoll_kernels)
foreach(library ${ATOLL_MPI_LIBRARIES})
  add_dependencies(installed atoll_mpi_${library})
endforeach()
if(ATOLL_PROGRAM)
  foreach(program atoll_program atoll_bench_program atoll-limit-gups atoll-limit-uts atoll-limit-bfs atoll-limit-cc atoll-limit-core-numbers
          atoll-limit-label-propagation atoll-limit-sort atoll-limit-memory oshrun shmem_info)
    if(TARGET ${program})
      install(TARGETS ${program} COMPONENT library)
      add_dependencies(installed ${program})
    endif()
  endforeach()
endif()
