#ifndef ATOLL_SHMEM_RMA_H
#define ATOLL_SHMEM_RMA_H
// Remote memory access, blocking and nonblocking.

#include "contexts.h"
#include "declare.h"
#include "types.h"

// Blocks and strides of elements. The type stands before the verb (shmem_int_put), a size after it
// (shmem_put32); where a size is given, the objects are VALUE = void.
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

#endif
