// The headers of this directory declare their functions by the macros of this file. undeclare.h
// undefines the macros.
//
// A family of functions is a macro that calls M(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)
// once for each function. The name of the function is shmem_STEM. TYPE is the type of an element.
// In C11 and C++, the function also has the generic name shmem_GENERIC. The library generates the
// definitions of the functions from the same macros.

#ifndef ATOLL_SHMEM_C
#ifdef __cplusplus
#define ATOLL_SHMEM_C extern "C"
#else
#define ATOLL_SHMEM_C extern
#endif

// Declares a function under its usual name and under its profiling name. A profiling tool can
// define the function with the usual name itself, and call the original function by the profiling
// name.
#define ATOLL_SHMEM_FUNCTION(RESULT, NAME, PARAMETERS)                                             \
  ATOLL_SHMEM_C RESULT NAME PARAMETERS;                                                            \
  ATOLL_SHMEM_C RESULT p##NAME PARAMETERS

#define ATOLL_SHMEM_OPEN(...) __VA_ARGS__

#define ATOLL_SHMEM_DECLARE(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                    \
  ATOLL_SHMEM_FUNCTION(RESULT, shmem_##STEM, PARAMETERS);

// Declares two functions: one for the default context, and one whose first argument is a context.
#define ATOLL_SHMEM_DECLARE_BOTH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)               \
  ATOLL_SHMEM_FUNCTION(RESULT, shmem_##STEM, PARAMETERS);                                          \
  ATOLL_SHMEM_FUNCTION(RESULT, shmem_ctx_##STEM, (shmem_ctx_t ctx, ATOLL_SHMEM_OPEN PARAMETERS));

#define ATOLL_SHMEM_DECLARE_EXTENSION(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)          \
  ATOLL_SHMEM_FUNCTION(RESULT, shmemx_##STEM, PARAMETERS);

#endif
