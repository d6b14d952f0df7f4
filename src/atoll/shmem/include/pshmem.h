// The names of the profiling interface, such as pshmem_put. The header shmem.h declares these names
// together with the usual ones.
#include "shmem.h"
