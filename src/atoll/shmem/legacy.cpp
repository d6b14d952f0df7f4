// Names from before OpenSHMEM, and operations on caches that were not coherent, which do nothing.

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/include/shmem/deprecated.h"

ATOLL_SHMEM_DEFINE(void, start_pes, (int)) { pshmem_init(); }

ATOLL_SHMEM_DEFINE(int, _my_pe, (void)) { return pshmem_my_pe(); }

ATOLL_SHMEM_DEFINE(int, _num_pes, (void)) { return pshmem_n_pes(); }

ATOLL_SHMEM_DEFINE(void, shmem_set_cache_inv, (void)) {}

ATOLL_SHMEM_DEFINE(void, shmem_set_cache_line_inv, (void*)) {}

ATOLL_SHMEM_DEFINE(void, shmem_clear_cache_inv, (void)) {}

ATOLL_SHMEM_DEFINE(void, shmem_clear_cache_line_inv, (void*)) {}

ATOLL_SHMEM_DEFINE(void, shmem_udcflush, (void)) {}

ATOLL_SHMEM_DEFINE(void, shmem_udcflush_line, (void*)) {}
