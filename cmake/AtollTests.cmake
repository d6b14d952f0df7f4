# Builds and names the tests: a program for each folder of tests/, and a ctest entry for each file.

# There are many tests to link, and mold needs a tenth of the time of the default linker. The program is
# linked by the default linker, so that its speed does not depend on which linkers are installed.
find_program(ATOLL_FAST_LINKER mold)

# These tests take longest. They are started first, so that none of them runs alone at the end.
set(ATOLL_LONGEST_TESTS kernels/bfs_test memory/hang_report_test app/mpi_test mutants/ordered_mutants_test
    bench/uts_test bench/uts_in_memory_test container/ordered_limits_test packaging/installed_test
    memory/storm_test transport/traffic_test app/bench_test)

# Headers that most tests include. Tests of the layers below `atoll.hpp` cannot include that header.
atoll_headers(atoll_layer_test_headers ${ATOLL_COMMON_HEADERS} <gmock/gmock.h> <gtest/gtest.h>
              LIBRARIES atoll_options fmt::fmt GTest::gtest GTest::gmock OPTIONS $<$<CONFIG:Release>:-Og>)
atoll_headers(atoll_test_headers <atoll/atoll.hpp> ${ATOLL_COMMON_HEADERS} <gmock/gmock.h> <gtest/gtest.h>
              LIBRARIES atoll_options atoll GTest::gtest GTest::gmock OPTIONS $<$<CONFIG:Release>:-Og>)

# `make thorough` runs these slow tests, and tests that other files give the label "thorough": ranks of MPI libraries,
# peers, kills, planted faults, conformance to OpenSHMEM, experiments, and packaging.
set(ATOLL_THOROUGH_TESTS "app/mpi_(events_|death_|silent_)?test|reproduction/mpi_command_test|experiments/.*|mutants/.*|packaging/.*")

# atoll_test_entry(FILE COMMAND ...) adds the ctest entry FOLDER/NAME for tests/FOLDER/NAME.*. The folder
# is a label. X_long_test.* also gets the label "long", and the tests listed above "thorough".
function(atoll_test_entry file)
  cmake_path(GET file STEM name)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET folder FILENAME folder)
  set(labels ${folder})
  set(seconds 1800)  # some tests take ten minutes, with a sanitizer and while other tests run
  if(name MATCHES "_long_test$")
    list(APPEND labels long)
    set(seconds 7200)
  elseif("${folder}/${name}" MATCHES "^(${ATOLL_THOROUGH_TESTS})$")
    list(APPEND labels thorough)
  endif()
  # With a compiler cache, __FILE__ may be relative to the folder of the build.
  add_test(NAME ${folder}/${name} ${ARGN} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  set_tests_properties(${folder}/${name} PROPERTIES TIMEOUT ${seconds} LABELS "${labels}")
  # The sanitizer's search for pointers into stack frames that have returned takes a third of the processor time of a
  # test. The layers whose closures travel between tasks and PEs are tested with this search, and the folders below are
  # not.
  if(folder MATCHES "^(kernels|graph|app|bench|reproduction)$" AND ATOLL_SANITIZE MATCHES "address")
    set_tests_properties(${folder}/${name} PROPERTIES
                         ENVIRONMENT "ASAN_OPTIONS=detect_stack_use_after_return=0:quarantine_size_mb=32")
  endif()
  if("${folder}/${name}" IN_LIST ATOLL_LONGEST_TESTS)
    set_tests_properties(${folder}/${name} PROPERTIES COST 100)
  endif()
endfunction()

# atoll_test_filter(FILE VARIABLE) sets VARIABLE to the --gtest_filter that runs the tests of one file.
# Two files must not share a suite, which tests/tools/every_test_runs_test.py checks.
function(atoll_test_filter file variable)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} tests REGEX "^(TEST|TEST_F|TEST_P|TYPED_TEST)\\(")
  list(TRANSFORM tests REPLACE "^[A-Z_]+\\(([a-z0-9_]+),.*" "\\1.*:*/\\1.*:\\1/*")
  list(REMOVE_DUPLICATES tests)
  list(JOIN tests ":" filter)
  set(${variable} ${filter} PARENT_SCOPE)
endfunction()

# atoll_test_program(NAME FILE... LIBRARIES ...) makes the GoogleTest program NAME.
function(atoll_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "" "LIBRARIES")
  add_executable(${name} ${test_UNPARSED_ARGUMENTS})
  atoll_sources(${name})
  target_link_libraries(${name} PRIVATE atoll_options ${test_LIBRARIES} GTest::gtest GTest::gmock
                        GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests)
  # The speed of tests does not matter. -Og compiles fastest among the levels at which g++ makes the tail calls that
  # coroutines need.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-Og>)
  if(ATOLL_FAST_LINKER)
    target_link_options(${name} PRIVATE -fuse-ld=mold)
  endif()
endfunction()

# atoll_tests(NAME FILE... LIBRARIES ...) makes the GoogleTest program NAME and its ctest entries.
function(atoll_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "" "LIBRARIES")
  atoll_test_program(${name} ${test_UNPARSED_ARGUMENTS} LIBRARIES ${test_LIBRARIES})
  foreach(file ${test_UNPARSED_ARGUMENTS})
    atoll_test_filter(${file} filter)
    atoll_test_entry(${file} COMMAND ${name} --gtest_filter=${filter})
  endforeach()
endfunction()
