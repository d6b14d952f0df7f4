// The names of the profiling interface, which shmem.h declares beside those of the functions.
#include "shmem.h"
