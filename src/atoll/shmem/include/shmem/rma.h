#ifndef ATOLL_SHMEM_RMA_H
#define ATOLL_SHMEM_RMA_H
// Declarations of remote memory access (put and get), and of put with signal.

#include "declare.h"
#include "teams.h"
#include "types.h"

// The first part declares remote memory access, blocking and nonblocking (_nbi).

// BLOCK is for transfers of contiguous elements, STRIDED for transfers of elements with strides. In
// the name of a function, a type stands before the verb (shmem_int_put), but a size in bits stands
// after the verb (shmem_put32). VALUE is the element type in the declaration of a function. For
// functions with a size in their names, VALUE is void.
#define ATOLL_SHMEM_RMA_BLOCK(M, TYPE, VALUE, BEFORE, AFTER)                                       \
  M(TYPE, void, BEFORE##put##AFTER, put,                                                           \
    (VALUE * dest, const VALUE* source, size_t nelems, int pe), (dest, source, nelems, pe))        \
  M(TYPE, void, BEFORE##get##AFTER, get,                                                           \
    (VALUE * dest, const VALUE* source, size_t nelems, int pe), (dest, source, nelems, pe))        \
  M(TYPE, void, BEFORE##put##AFTER##_nbi, put_nbi,                                                 \
    (VALUE * dest, const VALUE* source, size_t nelems, int pe), (dest, source, nelems, pe))        \
  M(TYPE, void, BEFORE##get##AFTER##_nbi, get_nbi,                                                 \
    (VALUE * dest, const VALUE* source, size_t nelems, int pe), (dest, source, nelems, pe))
#define ATOLL_SHMEM_RMA_STRIDED(M, TYPE, VALUE, BEFORE, AFTER)                                     \
  M(TYPE, void, BEFORE##iput##AFTER, iput,                                                         \
    (VALUE * dest, const VALUE* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe),      \
    (dest, source, dst, sst, nelems, pe))                                                          \
  M(TYPE, void, BEFORE##iget##AFTER, iget,                                                         \
    (VALUE * dest, const VALUE* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe),      \
    (dest, source, dst, sst, nelems, pe))

#define ATOLL_SHMEM_RMA(TYPE, NAME, M)                                                             \
  ATOLL_SHMEM_RMA_BLOCK(M, TYPE, TYPE, NAME##_, )                                                  \
  ATOLL_SHMEM_RMA_STRIDED(M, TYPE, TYPE, NAME##_, )                                                \
  M(TYPE, void, NAME##_p, p, (TYPE * dest, TYPE value, int pe), (dest, value, pe))                 \
  M(TYPE, TYPE, NAME##_g, g, (const TYPE* source, int pe), (source, pe))
#define ATOLL_SHMEM_RMA_SIZED(TYPE, BITS, M)                                                       \
  ATOLL_SHMEM_RMA_BLOCK(M, TYPE, void, , BITS)                                                     \
  ATOLL_SHMEM_RMA_STRIDED(M, TYPE, void, , BITS)
#define ATOLL_SHMEM_RMA_MEM(M) ATOLL_SHMEM_RMA_BLOCK(M, unsigned char, void, , mem)

ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_RMA, ATOLL_SHMEM_DECLARE_BOTH)
ATOLL_SHMEM_SIZES_TABLE(ATOLL_SHMEM_RMA_SIZED, ATOLL_SHMEM_DECLARE_BOTH)
ATOLL_SHMEM_RMA_MEM(ATOLL_SHMEM_DECLARE_BOTH)

// The second part declares put with signal. Put with signal puts data to a PE and then changes a
// signal word on the same PE. A program that sees the changed word also sees the data.

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
