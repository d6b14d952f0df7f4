// Profiling, chapter 10 of OpenSHMEM 1.5: a tool defines the functions it looks at anew, and calls
// those with a p before their names.

#include "atoll/shmem/include/shmem/profiling.h"

#include "atoll/shmem/api.hpp"

ATOLL_SHMEM_DEFINE(void, shmem_pcontrol, (int, ...)) {}
