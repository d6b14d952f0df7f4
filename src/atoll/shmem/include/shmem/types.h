#ifndef ATOLL_SHMEM_TYPES_H
#define ATOLL_SHMEM_TYPES_H
// Tables of the element types of OpenSHMEM 1.5. The headers and the library generate all typed
// functions from the tables of this file. ATOLL_SHMEM_..._TABLE(X, E) calls X(TYPE, TYPENAME, E)
// for each type. ATOLL_SHMEM_..._TYPES(X) calls X(TYPE, TYPENAME) for each type. A ..._DISTINCT
// table lists each C type only once, because neither _Generic nor overloading allows two entries
// for one type.
//
// X must use TYPENAME only as an operand of ##. Without ##, the preprocessor would expand TYPENAME
// if the program had defined a macro of the same name, such as uint or size.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C++" {  // needed because a program may include this header within extern "C"
#include <complex>
typedef std::complex<float> atoll_shmem_complexf;
typedef std::complex<double> atoll_shmem_complexd;
}
#else
#include <complex.h>
typedef float _Complex atoll_shmem_complexf;
typedef double _Complex atoll_shmem_complexd;
#endif

// An element of 128 bits with an alignment of 64 bits. A complex double has the same size and
// alignment.
typedef struct {
  uint64_t half[2];
} atoll_shmem_bits128;

// Integer types except long. The type long is left out, because its overload of the generic name
// shmem_wait_until would clash with the deprecated function shmem_wait_until.
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

// Types that are other names of built-in types, such as int32_t for int.
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

// Types of the standard atomic operations and of point-to-point synchronization.
#define ATOLL_SHMEM_AMO_DISTINCT(X, E)                                                             \
  ATOLL_SHMEM_INTEGERS_BUT_LONG(X, E)                                                              \
  X(long, long, E)
#define ATOLL_SHMEM_AMO_TABLE(X, E)                                                                \
  ATOLL_SHMEM_AMO_DISTINCT(X, E)                                                                   \
  ATOLL_SHMEM_WIDE_ALIASES(X, E)

// Types of variables for which a program can wait. Waiting for a short integer is deprecated.
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

// Types of bitwise atomic operations. For bitwise operations, OpenSHMEM allows a signed type only
// if the name of the type states the width, such as int32_t.
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

// Types of reductions by and, or and xor. For bitwise reductions, OpenSHMEM allows a signed type
// only if the name of the type states the width, such as int32_t.
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

// Elements of functions with a size in their names, such as shmem_put32. TYPE is a type of the size
// in the name, and TYPENAME is the number of bits.
#define ATOLL_SHMEM_SIZES_TABLE(X, E)                                                              \
  X(uint8_t, 8, E)                                                                                 \
  X(uint16_t, 16, E)                                                                               \
  X(uint32_t, 32, E)                                                                               \
  X(uint64_t, 64, E)                                                                               \
  X(atoll_shmem_bits128, 128, E)
#define ATOLL_SHMEM_OLD_SIZES(X, E)                                                                \
  X(uint32_t, 32, E)                                                                               \
  X(uint64_t, 64, E)

// A table whose name ends with TYPES calls X with two arguments: TYPE and TYPENAME.
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
