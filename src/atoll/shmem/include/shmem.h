#ifndef ATOLL_SHMEM_H
#define ATOLL_SHMEM_H
// OpenSHMEM 1.5 for C99, C11 and C++11. The generic names, such as shmem_put, exist in C11 and
// C++11.

#include "shmem/amo.h"
#include "shmem/collectives.h"
#include "shmem/teams.h"
#include "shmem/deprecated.h"
#include "shmem/sync.h"
#include "shmem/setup.h"
#include "shmem/rma.h"

#ifdef __cplusplus
#include "shmem/overloads_cxx.h"
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#include "shmem/generic_c.h"
#endif

#include "shmem/undeclare.h"

#endif
