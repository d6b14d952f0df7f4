#ifndef ATOLL_SHMEM_SIGNALS_H
#define ATOLL_SHMEM_SIGNALS_H
// Put with signal.

#include "contexts.h"
#include "declare.h"
#include "types.h"

#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1

#define ATOLL_SHMEM_SIGNAL_PUT(M, TYPE, VALUE, STEM, GENERIC)                                      \
  M(TYPE, void, STEM, GENERIC,                                                                     \
    (VALUE * dest, const VALUE* source, size_t nelems, uint64_t* sig_addr, uint64_t signal,        \
     int sig_op, int pe),                                                                          \
    (dest, source, nelems, sig_addr, signal, sig_op, pe))

#define ATOLL_SHMEM_SIGNAL(TYPE, NAME, M)                                                          \
  ATOLL_SHMEM_SIGNAL_PUT(M, TYPE, TYPE, NAME##_put_signal, put_signal)                             \
  ATOLL_SHMEM_SIGNAL_PUT(M, TYPE, TYPE, NAME##_put_signal_nbi, put_signal_nbi)
#define ATOLL_SHMEM_SIGNAL_SIZED(TYPE, BITS, M)                                                    \
  ATOLL_SHMEM_SIGNAL_PUT(M, TYPE, void, put##BITS##_signal, put_signal)                            \
  ATOLL_SHMEM_SIGNAL_PUT(M, TYPE, void, put##BITS##_signal_nbi, put_signal_nbi)
#define ATOLL_SHMEM_SIGNAL_MEM(M) ATOLL_SHMEM_SIGNAL_SIZED(unsigned char, mem, M)

ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_SIGNAL, ATOLL_SHMEM_DECLARE_BOTH)
ATOLL_SHMEM_SIZES_TABLE(ATOLL_SHMEM_SIGNAL_SIZED, ATOLL_SHMEM_DECLARE_BOTH)
ATOLL_SHMEM_SIGNAL_MEM(ATOLL_SHMEM_DECLARE_BOTH)

ATOLL_SHMEM_FUNCTION(uint64_t, shmem_signal_fetch, (const uint64_t* sig_addr));

#endif
