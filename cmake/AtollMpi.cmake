# Builds the plug-ins through which the transport uses an MPI library, one for each installed library:
# build/*/lib/atoll/libatoll_mpi_openmpi.so and libatoll_mpi_mpich.so. At run time, a program loads the
# plug-in for the library of its launcher. The same program therefore runs under both, or without MPI.

# Asks a compiler wrapper which options it adds. Open MPI and MPICH have different flags for this.
function(atoll_mpi_wrapper_flags wrapper library result)
  set(questions --showme:compile --showme:link)
  if(library STREQUAL "mpich")
    set(questions -compile_info -link_info)
  endif()
  set(flags "")
  foreach(question ${questions})
    execute_process(COMMAND ${wrapper} ${question} OUTPUT_VARIABLE answer ERROR_QUIET
                    RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT failed)
      string(APPEND flags " ${answer}")
    endif()
  endforeach()
  separate_arguments(flags)
  list(FILTER flags INCLUDE REGEX "^-[IL]|^-l")
  list(REMOVE_DUPLICATES flags)
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

# A wrapper whose name is just mpicc belongs to Open MPI if it accepts --showme.
function(atoll_find_mpi library result)
  find_program(ATOLL_MPICC_${library} NAMES mpicc.${library})
  set(wrapper ${ATOLL_MPICC_${library}})
  if(NOT wrapper)
    find_program(ATOLL_MPICC NAMES mpicc)
    if(ATOLL_MPICC)
      execute_process(COMMAND ${ATOLL_MPICC} --showme:version OUTPUT_QUIET ERROR_QUIET
                      RESULT_VARIABLE is_other)
      if((library STREQUAL "openmpi" AND NOT is_other) OR (library STREQUAL "mpich" AND is_other))
        set(wrapper ${ATOLL_MPICC})
      endif()
    endif()
  endif()
  set(${result} "${wrapper}" PARENT_SCOPE)
endfunction()

# Compiles and links a target with one of the MPI libraries that were found.
function(atoll_use_mpi target library)
  set(flags ${ATOLL_MPI_FLAGS_${library}})
  set(headers ${flags})
  list(FILTER headers INCLUDE REGEX "^-I")
  list(TRANSFORM headers REPLACE "^-I" "")
  target_include_directories(${target} SYSTEM PRIVATE ${headers})
  list(FILTER flags EXCLUDE REGEX "^-I")
  target_link_libraries(${target} PRIVATE ${flags})
  target_compile_definitions(${target} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
endfunction()

set(ATOLL_MPI_PLUGIN_FOLDER ${PROJECT_BINARY_DIR}/lib/atoll)
set(ATOLL_MPI_LIBRARIES "")
foreach(library openmpi mpich)
  atoll_find_mpi(${library} wrapper)
  if(NOT wrapper)
    message(STATUS "no ${library}: jobs cannot be started by its mpirun")
    continue()
  endif()
  atoll_mpi_wrapper_flags(${wrapper} ${library} flags)
  add_library(atoll_mpi_${library} MODULE
              ${PROJECT_SOURCE_DIR}/src/atoll/transport/mpi/plugin/mpi_plugin.cpp)
  target_include_directories(atoll_mpi_${library} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  set(ATOLL_MPI_FLAGS_${library} ${flags})
  atoll_use_mpi(atoll_mpi_${library} ${library})
  set_target_properties(atoll_mpi_${library} PROPERTIES LIBRARY_OUTPUT_DIRECTORY
                        ${ATOLL_MPI_PLUGIN_FOLDER} CXX_VISIBILITY_PRESET hidden)
  list(APPEND ATOLL_MPI_LIBRARIES ${library})
endforeach()
