# Makes compiling fast, by a compiler cache, more memory for the compiler, and precompiled headers.

# ccache uses paths within the project, so that clones share the cache. The key of an entry includes the processor, because
# the meaning of -march=native depends on the processor.
option(ATOLL_COMPILER_CACHE "Compile through ccache where it is installed" ${PROJECT_IS_TOP_LEVEL})
find_program(ATOLL_CCACHE ccache)
if(ATOLL_COMPILER_CACHE AND ATOLL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  file(STRINGS /proc/cpuinfo processor REGEX "^(vendor_id|cpu family|model|flags)[\t ]")
  list(REMOVE_DUPLICATES processor)
  list(JOIN processor "\n" processor)
  if(ATOLL_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    file(READ cmake/not_ours.txt not_ours)  # ccache does not know that the compiler reads this file
    string(APPEND processor "\n" "${not_ours}")
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/processor.txt CONTENT "@processor@\n" @ONLY)
  set(launcher /usr/bin/env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_EXTRAFILES=${PROJECT_BINARY_DIR}/processor.txt
      ${ATOLL_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()

# From 128 MB on, g++ collects garbage whenever its heap has doubled. If the machine has 4 GiB per
# processor, the first collection comes later, which saves a tenth of the time.
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR memory "${memory} / ${processors}")
set(ATOLL_COMPILER_MEMORY "")
if(memory GREATER 4096)
  set(ATOLL_COMPILER_MEMORY --param=ggc-min-heapsize=600000)
endif()

# Precompiled headers do not make clang faster. Their paths would also prevent clones from sharing the compiler cache.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(ATOLL_PRECOMPILE OFF)
endif()

# atoll_headers(NAME HEADER... LIBRARIES ... [OPTIONS ...]) precompiles the headers once for several targets. All these
# targets must have the given options and libraries.
function(atoll_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 headers "" "" "LIBRARIES;OPTIONS")
  if(NOT ATOLL_PRECOMPILE)
    return()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "// It carries the headers.\n")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${headers_LIBRARIES})
  target_compile_options(${name} PRIVATE ${headers_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${headers_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER
                        "${PROJECT_SOURCE_DIR}/cmake/fresh_headers.sh;${CMAKE_CXX_COMPILER_LAUNCHER}")
endfunction()

# atoll_use_headers(TARGET NAME) puts the precompiled headers NAME before the sources of TARGET. Each source nevertheless
# includes what it needs, because `make lint` reads sources without precompiled headers.
function(atoll_use_headers target name)
  if(ATOLL_PRECOMPILE)
    # ccache needs this option to see which precompiled header was used.
    target_compile_options(${target} PRIVATE -fpch-preprocess)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
