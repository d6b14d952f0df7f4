# Finds the OpenSHMEM of Open MPI: ATOLL_HAS_OPENSHMEM, ATOLL_OSHRUN, and what
# atoll_use_mpi(... openshmem) asks for. Its wrapper says what it adds as the others do.
find_program(ATOLL_OSHCC NAMES oshcc.openmpi oshcc)
find_program(ATOLL_OSHRUN NAMES oshrun.openmpi oshrun)
set(wrapper_says "")
if(ATOLL_OSHCC)
  execute_process(COMMAND ${ATOLL_OSHCC} --showme:version OUTPUT_VARIABLE wrapper_says
                  ERROR_VARIABLE wrapper_says)
endif()
set(ATOLL_HAS_OPENSHMEM OFF)
if(NOT ATOLL_OSHRUN OR NOT wrapper_says MATCHES "Open SHMEM")
  return()
endif()
set(ATOLL_HAS_OPENSHMEM ON)
atoll_mpi_wrapper_flags(${ATOLL_OSHCC} openmpi ATOLL_MPI_FLAGS_openshmem)
# Open MPI 4.1 unloads this library at its end while a component still calls it, and crashes, unless
# the program itself is linked to it.
find_library(ATOLL_MCA_COMMON_UCX mca_common_ucx)
if(ATOLL_MCA_COMMON_UCX)
  list(APPEND ATOLL_MPI_FLAGS_openshmem -Wl,--no-as-needed ${ATOLL_MCA_COMMON_UCX})
endif()
