#ifndef ATOLL_SHMEM_TYPES_H
#define ATOLL_SHMEM_TYPES_H
// The table of the types that OpenSHMEM 1.5 names. All typed functions are generated from this
// table, in the headers and in the library. ATOLL_SHMEM_..._TABLE(X, E) calls X(TYPE, TYPENAME, E)
// for each type. ATOLL_SHMEM_..._TYPES(X) calls X(TYPE, TYPENAME). A ..._DISTINCT table lists each
// C type once, because generic selection and overloads do not allow two names of one type.
//
// X must paste TYPENAME directly, because a program may have defined a macro of that name (uint,
// size).

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C++" {  // works even if a program includes the header within extern "C"
#include <complex>
typedef std::complex<float> atoll_shmem_complexf;
typedef std::complex<double> atoll_shmem_complexd;
}
#else
#include <complex.h>
typedef float _Complex atoll_shmem_complexf;
typedef double _Complex atoll_shmem_complexd;
#endif

// A value of 128 bits with the alignment of 64 bits, such as a complex double.
typedef struct {
  uint64_t half[2];
} atoll_shmem_bits128;

// Types under their own names. long is left out of this table, because the deprecated function
// shmem_wait_until has the same name as the generic one for long.
#define ATOLL_SHMEM_INTEGERS_BUT_LONG(X, E)                                                        \
  X(int, int, E)                                                                                   \
  X(long long, longlong, E)                                                                        \
  X(unsigned int, uint, E)                                                                         \
  X(unsigned long, ulong, E)                                                                       \
  X(unsigned long long, ulonglong, E)
#define ATOLL_SHMEM_SHORTS(X, E)                                                                   \
  X(short, short, E)                                                                               \
  X(unsigned short, ushort, E)
#define ATOLL_SHMEM_CHARACTERS(X, E)                                                               \
  X(char, char, E)                                                                                 \
  X(signed char, schar, E)                                                                         \
  X(unsigned char, uchar, E)
#define ATOLL_SHMEM_REALS(X, E)                                                                    \
  X(float, float, E)                                                                               \
  X(double, double, E)
#define ATOLL_SHMEM_COMPLEXES(X, E)                                                                \
  X(atoll_shmem_complexf, complexf, E)                                                             \
  X(atoll_shmem_complexd, complexd, E)

// Further names of some of these types.
#define ATOLL_SHMEM_NARROW_ALIASES(X, E)                                                           \
  X(int8_t, int8, E)                                                                               \
  X(int16_t, int16, E)                                                                             \
  X(uint8_t, uint8, E)                                                                             \
  X(uint16_t, uint16, E)
#define ATOLL_SHMEM_WIDE_ALIASES(X, E)                                                             \
  X(int32_t, int32, E)                                                                             \
  X(int64_t, int64, E)                                                                             \
  X(uint32_t, uint32, E)                                                                           \
  X(uint64_t, uint64, E)                                                                           \
  X(size_t, size, E)                                                                               \
  X(ptrdiff_t, ptrdiff, E)

// Types of standard atomic operations, and of point-to-point synchronization.
#define ATOLL_SHMEM_AMO_DISTINCT(X, E)                                                             \
  ATOLL_SHMEM_INTEGERS_BUT_LONG(X, E)                                                              \
  X(long, long, E)
#define ATOLL_SHMEM_AMO_TABLE(X, E)                                                                \
  ATOLL_SHMEM_AMO_DISTINCT(X, E)                                                                   \
  ATOLL_SHMEM_WIDE_ALIASES(X, E)

// Types of waits for one variable. Waits for short integers are deprecated.
#define ATOLL_SHMEM_SYNC_DISTINCT(X, E)                                                            \
  ATOLL_SHMEM_AMO_DISTINCT(X, E)                                                                   \
  ATOLL_SHMEM_SHORTS(X, E)

// Types of the extended atomic operations: fetch, set and swap.
#define ATOLL_SHMEM_AMO_EXTENDED_DISTINCT(X, E)                                                    \
  ATOLL_SHMEM_AMO_DISTINCT(X, E)                                                                   \
  ATOLL_SHMEM_REALS(X, E)
#define ATOLL_SHMEM_AMO_EXTENDED_TABLE(X, E)                                                       \
  ATOLL_SHMEM_AMO_TABLE(X, E)                                                                      \
  ATOLL_SHMEM_REALS(X, E)

// Types of bitwise atomic operations. For signed integers, OpenSHMEM lists only the types with an
// exact width here.
#define ATOLL_SHMEM_AMO_BITWISE_DISTINCT(X, E)                                                     \
  X(unsigned int, uint, E)                                                                         \
  X(unsigned long, ulong, E)                                                                       \
  X(unsigned long long, ulonglong, E)                                                              \
  X(int32_t, int32, E)                                                                             \
  X(int64_t, int64, E)
#define ATOLL_SHMEM_AMO_BITWISE_TABLE(X, E)                                                        \
  ATOLL_SHMEM_AMO_BITWISE_DISTINCT(X, E)                                                           \
  X(uint32_t, uint32, E)                                                                           \
  X(uint64_t, uint64, E)

// Types of remote memory access, put with signal, collectives, and reductions by min and max.
#define ATOLL_SHMEM_RMA_DISTINCT(X, E)                                                             \
  ATOLL_SHMEM_AMO_EXTENDED_DISTINCT(X, E)                                                          \
  ATOLL_SHMEM_SHORTS(X, E)                                                                         \
  ATOLL_SHMEM_CHARACTERS(X, E)                                                                     \
  X(long double, longdouble, E)
#define ATOLL_SHMEM_RMA_TABLE(X, E)                                                                \
  ATOLL_SHMEM_RMA_DISTINCT(X, E)                                                                   \
  ATOLL_SHMEM_NARROW_ALIASES(X, E)                                                                 \
  ATOLL_SHMEM_WIDE_ALIASES(X, E)

// Types of reductions by and, or and xor. For signed integers, OpenSHMEM lists only the types with
// an exact width here.
#define ATOLL_SHMEM_REDUCE_BITWISE_DISTINCT(X, E)                                                  \
  ATOLL_SHMEM_AMO_BITWISE_DISTINCT(X, E)                                                           \
  X(unsigned char, uchar, E)                                                                       \
  X(unsigned short, ushort, E)                                                                     \
  X(int8_t, int8, E)                                                                               \
  X(int16_t, int16, E)
#define ATOLL_SHMEM_REDUCE_BITWISE_TABLE(X, E)                                                     \
  ATOLL_SHMEM_AMO_BITWISE_TABLE(X, E)                                                              \
  X(unsigned char, uchar, E)                                                                       \
  X(unsigned short, ushort, E)                                                                     \
  ATOLL_SHMEM_NARROW_ALIASES(X, E)                                                                 \
  X(size_t, size, E)

// Types of reductions by sum and product.
#define ATOLL_SHMEM_REDUCE_ARITHMETIC_DISTINCT(X, E)                                               \
  ATOLL_SHMEM_RMA_DISTINCT(X, E)                                                                   \
  ATOLL_SHMEM_COMPLEXES(X, E)
#define ATOLL_SHMEM_REDUCE_ARITHMETIC_TABLE(X, E)                                                  \
  ATOLL_SHMEM_RMA_TABLE(X, E)                                                                      \
  ATOLL_SHMEM_COMPLEXES(X, E)

// Types of deprecated functions.
#define ATOLL_SHMEM_OLD_AMO_DISTINCT(X, E)                                                         \
  X(int, int, E)                                                                                   \
  X(long, long, E)                                                                                 \
  X(long long, longlong, E)
#define ATOLL_SHMEM_OLD_AMO_EXTENDED_DISTINCT(X, E)                                                \
  ATOLL_SHMEM_OLD_AMO_DISTINCT(X, E)                                                               \
  ATOLL_SHMEM_REALS(X, E)
#define ATOLL_SHMEM_OLD_INTEGERS(X, E)                                                             \
  ATOLL_SHMEM_OLD_AMO_DISTINCT(X, E)                                                               \
  X(short, short, E)
#define ATOLL_SHMEM_OLD_NUMBERS(X, E)                                                              \
  ATOLL_SHMEM_OLD_INTEGERS(X, E)                                                                   \
  ATOLL_SHMEM_REALS(X, E)                                                                          \
  X(long double, longdouble, E)

// Elements by their size. TYPE has the size, and TYPENAME is the number of bits.
#define ATOLL_SHMEM_SIZES_TABLE(X, E)                                                              \
  X(uint8_t, 8, E)                                                                                 \
  X(uint16_t, 16, E)                                                                               \
  X(uint32_t, 32, E)                                                                               \
  X(uint64_t, 64, E)                                                                               \
  X(atoll_shmem_bits128, 128, E)
#define ATOLL_SHMEM_OLD_SIZES(X, E)                                                                \
  X(uint32_t, 32, E)                                                                               \
  X(uint64_t, 64, E)

// Tables that call X with two parameters instead of three.
#define ATOLL_SHMEM_TWO(TYPE, NAME, X) X(TYPE, NAME)
#define ATOLL_SHMEM_AMO_TYPES(X) ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_TWO, X)
#define ATOLL_SHMEM_AMO_EXTENDED_TYPES(X) ATOLL_SHMEM_AMO_EXTENDED_TABLE(ATOLL_SHMEM_TWO, X)
#define ATOLL_SHMEM_AMO_BITWISE_TYPES(X) ATOLL_SHMEM_AMO_BITWISE_TABLE(ATOLL_SHMEM_TWO, X)
#define ATOLL_SHMEM_SYNC_TYPES(X) ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_TWO, X)
#define ATOLL_SHMEM_RMA_TYPES(X) ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_TWO, X)
#define ATOLL_SHMEM_REDUCE_BITWISE_TYPES(X) ATOLL_SHMEM_REDUCE_BITWISE_TABLE(ATOLL_SHMEM_TWO, X)
#define ATOLL_SHMEM_REDUCE_COMPARE_TYPES(X) ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_TWO, X)
#define ATOLL_SHMEM_REDUCE_ARITHMETIC_TYPES(X)                                                     \
  ATOLL_SHMEM_REDUCE_ARITHMETIC_TABLE(ATOLL_SHMEM_TWO, X)
#define ATOLL_SHMEM_SIZES(X) ATOLL_SHMEM_SIZES_TABLE(ATOLL_SHMEM_TWO, X)

#endif
