// This file undefines the internal macros of declare.h, overloads_cxx.h and shmemx.h, so that
// programs do not see them.

#undef ATOLL_SHMEM_C
#undef ATOLL_SHMEM_FUNCTION
#undef ATOLL_SHMEM_OPEN
#undef ATOLL_SHMEM_DECLARE
#undef ATOLL_SHMEM_DECLARE_BOTH
#undef ATOLL_SHMEM_DECLARE_EXTENSION
#undef ATOLL_SHMEM_OVERLOAD
#undef ATOLL_SHMEM_OVERLOAD_BOTH
#undef ATOLL_SHMEM_OVERLOAD_COMPLEX
#undef ATOLL_SHMEM_OVERLOAD_EXTENSION
