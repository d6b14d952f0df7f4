# Settings of a build for the wheel of the Python package (ATOLL_WHEEL). Its programs contain all their libraries, the C
# library too, so they start on any Linux system. CMakeLists.txt reads this file before any library is looked for.
foreach(part PROGRAM TESTING INSTALL)
  set(ATOLL_${part} OFF)
endforeach()
# Everything but kernels is compiled once, for the oldest processors (python/server/static).
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -march=x86-64-v2")
string(APPEND CMAKE_CXX_FLAGS " -fPIE")
add_link_options(-static-pie)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(Boost_USE_STATIC_LIBS ON)

# Debian has no static libraries of fmt and spdlog, so their headers are compiled.
find_package(spdlog REQUIRED)
set_target_properties(spdlog::spdlog_header_only PROPERTIES INTERFACE_LINK_LIBRARIES "Threads::Threads;fmt::fmt-header-only")
set(ATOLL_INSTEAD_OF_fmt::fmt fmt::fmt-header-only)
set(ATOLL_INSTEAD_OF_spdlog::spdlog spdlog::spdlog_header_only)
set(ATOLL_FORMATTING fmt::fmt-header-only spdlog::spdlog_header_only)
