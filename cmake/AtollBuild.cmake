# Settings of every target of the project: language, warnings, sanitizers, and folders of the outputs.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
if(ATOLL_TESTING)
  include(CTest)
endif()

include(AtollCompile)

# Options for every target that includes the headers.
add_library(atoll_language INTERFACE)
target_compile_features(atoll_language INTERFACE cxx_std_20)
target_include_directories(atoll_language INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
# Symmetric transfer between coroutines needs tail calls, which g++ does not make at -O0 and -O1.
target_compile_options(atoll_language INTERFACE
                       "$<$<CXX_COMPILER_ID:GNU>:-foptimize-sibling-calls;-Wno-psabi>")
# In debug builds, programs that use the library check each closure that is sent, and each access.
target_compile_definitions(atoll_language INTERFACE $<$<CONFIG:Debug>:ATOLL_CHECKED>)
if(NOT ATOLL_COUNTERS)
  target_compile_definitions(atoll_language INTERFACE ATOLL_NO_COUNTERS)
endif()

# Further options for the sources of this project.
add_library(atoll_options INTERFACE)
target_link_libraries(atoll_options INTERFACE atoll_language)
target_compile_options(atoll_options INTERFACE -Wall -Wextra $<$<BOOL:${ATOLL_WERROR}>:-Werror>)
target_compile_options(atoll_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:${ATOLL_COMPILER_MEMORY}>)
target_compile_definitions(atoll_options INTERFACE ATOLL_VERSION="${PROJECT_VERSION}")
# Paths are relative to the folder of the build, __FILE__ too, so that the compiler cache serves clones in other folders.
file(RELATIVE_PATH sources ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
target_compile_options(atoll_options INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=${sources})
# The stable_sort of libstdc++ 12 calls a function that libstdc++ has deprecated.
target_compile_options(atoll_options INTERFACE
                       $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
if(ATOLL_UNITY)
  # In a unity build, sources are included by another source, and g++ treats their closures as those of a header.
  target_compile_options(atoll_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
if(ATOLL_SANITIZE)
  target_compile_options(atoll_language INTERFACE -fsanitize=${ATOLL_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(atoll_language INTERFACE -fsanitize=${ATOLL_SANITIZE})
  target_compile_definitions(atoll_language INTERFACE ATOLL_SANITIZED)
  # Half of the code of a test is templates of other libraries. _GLIBCXX_ASSERTIONS checks those.
  target_compile_options(atoll_options INTERFACE $<$<CXX_COMPILER_ID:Clang>:
                         -fsanitize-ignorelist=${sources}cmake/not_ours.txt>)
endif()

# There are many tests to link, and mold needs a tenth of the time of the default linker. The program is
# linked by the default linker, so that its speed does not depend on which linkers are installed.
find_program(ATOLL_FAST_LINKER mold)

# atoll_sources(TARGET ...) sets how the sources of a library or program of this project are compiled.
function(atoll_sources)
  set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ${ATOLL_UNITY} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# atoll_has_faults(SOURCE VARIABLE) sets VARIABLE to whether SOURCE has faults that tests can switch on (base/mutants.hpp).
function(atoll_has_faults source variable)
  file(STRINGS ${source} faults REGEX "mutants::has|message/termination.hpp|atoll/(one_sided|symmetric_collectives).hpp|memory/symmetric_team.hpp" LIMIT_COUNT 1)
  set(${variable} "${faults}" PARENT_SCOPE)
endfunction()

# atoll_layer(NAME LIBRARIES ...) makes the library atoll_NAME of all sources below src/atoll/NAME. Sources with faults are
# an object library of their own, so that tests/mutants can replace them.
function(atoll_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "LIBRARIES")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/atoll/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/plugin/")  # plug-ins are built separately and loaded at run time
  add_library(atoll_${name} STATIC ${sources})
  atoll_sources(atoll_${name})
  set_target_properties(atoll_${name} PROPERTIES UNITY_BUILD_MODE GROUP POSITION_INDEPENDENT_CODE ON)
  set(number 0)
  foreach(source ${sources})
    atoll_has_faults(${source} faults)
    if(faults)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP faults)
    else()
      math(EXPR group "${number} / 8")
      math(EXPR number "${number} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  target_link_libraries(atoll_${name} PUBLIC atoll_language ${layer_LIBRARIES} PRIVATE atoll_options)
  atoll_use_headers(atoll_${name} atoll_layer_headers)
endfunction()
