// Profiling tools include this header for the names of the profiling interface, such as pshmem_put.
// The names of the profiling interface are also declared by shmem.h.
#include "shmem.h"
