#ifndef ATOLL_SHMEM_SETUP_H
#define ATOLL_SHMEM_SETUP_H
// Library setup, exit and query.

#include "declare.h"

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_MAX_NAME_LEN 256
#define SHMEM_VENDOR_STRING "Atoll 0.1.0"

ATOLL_SHMEM_FUNCTION(void, shmem_init, (void));
ATOLL_SHMEM_FUNCTION(void, shmem_finalize, (void));
ATOLL_SHMEM_FUNCTION(void, shmem_global_exit, (int status));
ATOLL_SHMEM_FUNCTION(int, shmem_my_pe, (void));
ATOLL_SHMEM_FUNCTION(int, shmem_n_pes, (void));
ATOLL_SHMEM_FUNCTION(int, shmem_pe_accessible, (int pe));
ATOLL_SHMEM_FUNCTION(int, shmem_addr_accessible, (const void* addr, int pe));
ATOLL_SHMEM_FUNCTION(void*, shmem_ptr, (const void* dest, int pe));
ATOLL_SHMEM_FUNCTION(void, shmem_info_get_version, (int* major, int* minor));
ATOLL_SHMEM_FUNCTION(void, shmem_info_get_name, (char* name));

#endif
