// Profiling tools include this header for the names of the profiling interface, such as pshmem_put.
// The header shmem.h declares these names, too.
#include "shmem.h"
