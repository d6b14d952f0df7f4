# What every target of the project shares: language, warnings, sanitizers, places of the outputs.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
include(CTest)

add_library(atoll_options INTERFACE)
target_compile_options(atoll_options INTERFACE -Wall -Wextra $<$<BOOL:${ATOLL_WERROR}>:-Werror>)
target_include_directories(atoll_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(atoll_options INTERFACE ATOLL_VERSION="${PROJECT_VERSION}")
if(NOT ATOLL_COUNTERS)
  target_compile_definitions(atoll_options INTERFACE ATOLL_NO_COUNTERS)
endif()
# g++ makes no tail call at -O0 and -O1, and symmetric transfer between coroutines needs one.
target_compile_options(atoll_options INTERFACE
                       "$<$<CXX_COMPILER_ID:GNU>:-foptimize-sibling-calls;-Wno-psabi>")
# The stable_sort of libstdc++ 12 calls what libstdc++ itself has deprecated.
target_compile_options(atoll_options INTERFACE
                       $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
if(ATOLL_SANITIZE)
  target_compile_options(atoll_options INTERFACE -fsanitize=${ATOLL_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(atoll_options INTERFACE -fsanitize=${ATOLL_SANITIZE})
  target_compile_definitions(atoll_options INTERFACE ATOLL_SANITIZED)
  # Half of a test is templates of the libraries it uses; _GLIBCXX_ASSERTIONS looks at those.
  target_compile_options(atoll_options INTERFACE $<$<CXX_COMPILER_ID:Clang>:
                         -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/not_ours.txt>)
endif()

# There are many tests to link, and this linker needs a tenth of the time. The program is linked by
# the usual one, so that its figures do not depend on what is installed.
find_program(ATOLL_FAST_LINKER mold)

# atoll_layer(NAME LIBRARIES ...): the library atoll_NAME of all sources below src/atoll/NAME.
function(atoll_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "LIBRARIES")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/atoll/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/plugin/")  # loaded at run time, each built by itself
  add_library(atoll_${name} STATIC ${sources})
  target_link_libraries(atoll_${name} PUBLIC atoll_options ${layer_LIBRARIES})
endfunction()

# atoll_test_name(FILE): sets layer, name and label for tests/layer/name.*; label is "long" for
# X_long_test.*, and empty for others.
macro(atoll_test_name file)
  cmake_path(GET file STEM name)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET folder FILENAME layer)
  set(label "")
  if(name MATCHES "_long_test$")
    set(label "long")
  endif()
endmacro()

# atoll_test(FILE LIBRARIES ...): one GoogleTest executable and one ctest entry.
function(atoll_test file)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "" "LIBRARIES")
  atoll_test_name(${file})
  set(target ${layer}_${name})
  add_executable(${target} ${file})
  target_link_libraries(${target} PRIVATE atoll_options ${test_LIBRARIES} GTest::gtest GTest::gmock GTest::gtest_main)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests)
  if(ATOLL_FAST_LINKER)
    target_link_options(${target} PRIVATE -fuse-ld=mold)
  endif()
  # A compiler cache may make __FILE__ relative to the folder of the build.
  add_test(NAME ${layer}/${name} COMMAND ${target} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  set_tests_properties(${layer}/${name} PROPERTIES TIMEOUT 900 LABELS "${layer};${label}")
endfunction()

# atoll_python_test(FILE): one ctest entry that runs the file by itself.
function(atoll_python_test file)
  atoll_test_name(${file})
  add_test(NAME ${layer}/${name} COMMAND Python3::Interpreter ${file})
  set_tests_properties(${layer}/${name} PROPERTIES TIMEOUT 900 LABELS "${layer};${label}")
endfunction()
