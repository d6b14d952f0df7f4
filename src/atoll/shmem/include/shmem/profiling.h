#ifndef ATOLL_SHMEM_PROFILING_H
#define ATOLL_SHMEM_PROFILING_H
// Profiling. Every function NAME is also pNAME: a tool defines NAME itself and calls pNAME.

#include "declare.h"

ATOLL_SHMEM_FUNCTION(void, shmem_pcontrol, (int level, ...));

#endif
