#pragma once
// How the functions of the C interface are defined: each under its name for the profiling interface
// (`pshmem_put` for `shmem_put`), of which the usual name is a weak alias, which a tool may define
// anew.

/// ATOLL_SHMEM_DEFINE(void, shmem_quiet, (void)) { ... }
#define ATOLL_SHMEM_DEFINE(RESULT, NAME, PARAMETERS)                                               \
  extern "C" [[gnu::weak, gnu::alias("p" #NAME)]] RESULT NAME PARAMETERS;                          \
  extern "C" RESULT p##NAME PARAMETERS

/// Of the templates behind them: called without the detour by which a symbol of a shared library is
/// found.
#define ATOLL_SHMEM_HIDDEN [[gnu::visibility("hidden")]]

#define ATOLL_SHMEM_UNWRAP(...) __VA_ARGS__

// For the families of include/shmem/declare.h: each function calls `calls::GENERIC` for its type,
// with its own name before its arguments.
#define ATOLL_SHMEM_DEFINE_EACH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                \
  ATOLL_SHMEM_DEFINE(RESULT, shmem_##STEM, PARAMETERS) {                                           \
    return atl::shmem::calls::GENERIC<TYPE>("shmem_" #STEM, ATOLL_SHMEM_UNWRAP ARGUMENTS);         \
  }

/// The same, and with a context before the others, whose team numbers the PEs.
#define ATOLL_SHMEM_DEFINE_BOTH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                \
  ATOLL_SHMEM_DEFINE_EACH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                      \
  ATOLL_SHMEM_DEFINE(RESULT, shmem_ctx_##STEM, (shmem_ctx_t ctx, ATOLL_SHMEM_UNWRAP PARAMETERS)) { \
    pe = atl::shmem::world_pe("shmem_ctx_" #STEM, ctx, pe);                                        \
    return atl::shmem::calls::GENERIC<TYPE>("shmem_ctx_" #STEM, ATOLL_SHMEM_UNWRAP ARGUMENTS);     \
  }

/// Of the extensions.
#define ATOLL_SHMEM_DEFINE_EXTENSION(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)           \
  ATOLL_SHMEM_DEFINE(RESULT, shmemx_##STEM, PARAMETERS) {                                          \
    return atl::shmem::calls::GENERIC<TYPE>("shmemx_" #STEM, ATOLL_SHMEM_UNWRAP ARGUMENTS);        \
  }
