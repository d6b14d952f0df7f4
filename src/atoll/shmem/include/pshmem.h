// The names of the profiling interface, such as pshmem_put. The header shmem.h declares them
// together with the usual names.
#include "shmem.h"
