// Macros that declare functions, for the files beside this one; undeclare.h removes them again.
//
// A family of functions is a macro that calls M(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)
// for each. shmem_STEM is the function, and TYPE the type of an element. Generic selection and
// overloads call it shmem_GENERIC. The library generates definitions from the families too.

#ifndef ATOLL_SHMEM_C
#ifdef __cplusplus
#define ATOLL_SHMEM_C extern "C"
#else
#define ATOLL_SHMEM_C extern
#endif

// Declares a function, and the name by which a profiling tool that replaces it still reaches it.
#define ATOLL_SHMEM_FUNCTION(RESULT, NAME, PARAMETERS)                                             \
  ATOLL_SHMEM_C RESULT NAME PARAMETERS;                                                            \
  ATOLL_SHMEM_C RESULT p##NAME PARAMETERS

#define ATOLL_SHMEM_OPEN(...) __VA_ARGS__

#define ATOLL_SHMEM_DECLARE(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                    \
  ATOLL_SHMEM_FUNCTION(RESULT, shmem_##STEM, PARAMETERS);

// Declares a function on the default context and one on a context that is passed.
#define ATOLL_SHMEM_DECLARE_BOTH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)               \
  ATOLL_SHMEM_FUNCTION(RESULT, shmem_##STEM, PARAMETERS);                                          \
  ATOLL_SHMEM_FUNCTION(RESULT, shmem_ctx_##STEM, (shmem_ctx_t ctx, ATOLL_SHMEM_OPEN PARAMETERS));

#define ATOLL_SHMEM_DECLARE_EXTENSION(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)          \
  ATOLL_SHMEM_FUNCTION(RESULT, shmemx_##STEM, PARAMETERS);

#endif
