# atoll_mpi_peer(NAME MPI SOURCE LIBRARIES...): atoll-peer-NAME, which starts its own processes.
function(atoll_mpi_peer name mpi source)
  atoll_bench_program(peer-${name} ${source} LIBRARIES ${ARGN})
  atoll_use_mpi(atoll-peer-${name} ${mpi})
  target_compile_definitions(atoll-peer-${name} PRIVATE BENCH_LAUNCHER="${ATOLL_MPIRUN_${mpi}}")
endfunction()

# atoll_mpi_peers(KERNEL NAMES SOURCE LIBRARIES...): makes one peer for each installed MPI. The
# variable NAMES gets their names.
function(atoll_mpi_peers kernel names source)
  set(built "")
  foreach(mpi ${ATOLL_MPI_LIBRARIES})
    if(ATOLL_MPIRUN_${mpi})
      atoll_mpi_peer(${kernel}-${mpi} ${mpi} ${source} ${ARGN})
      list(APPEND built ${kernel}-${mpi})
    else()
      message(STATUS "no mpirun of ${mpi}: atoll-peer-${kernel}-${mpi} is not built")
    endif()
  endforeach()
  set(${names} ${built} PARENT_SCOPE)
endfunction()
