# Makes Debian packages by `cpack` in a build folder (make deb). Each MPI plug-in has a package of its
# own, so that the other packages can be used without an MPI library.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME atoll)
set(CPACK_PACKAGE_CONTACT "The maintainers of Atoll <maintainers@atoll.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Runtime for irregular parallel programs on one global address space")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL library ${ATOLL_MPI_LIBRARIES})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME atoll)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "libfmt-dev")  # installed headers include it
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "g++, cmake, pkg-config")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS  # linking the static library needs the -dev packages
    "atoll-openmpi, atoll-mpich, libspdlog-dev, libhwloc-dev, zlib1g-dev, libzstd-dev, libboost-context-dev")

set(names_openmpi "Open MPI" openmpi-bin)
set(names_mpich "MPICH" mpich)
foreach(library ${ATOLL_MPI_LIBRARIES})
  list(GET names_${library} 0 name)
  list(GET names_${library} 1 launcher)
  string(TOUPPER ${library} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME atoll-${library})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "atoll (= ${PROJECT_VERSION}), ${launcher}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "Programs on Atoll as ranks of ${name}")
endforeach()
include(CPack)
