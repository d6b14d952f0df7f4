#pragma once
// Definitions of the functions of the C interface. Each function is defined under its name for the
// profiling interface (`pshmem_put` for `shmem_put`). The usual name is a weak alias, which a tool
// may redefine.

/// Defines a function: ATOLL_SHMEM_DEFINE(void, shmem_quiet, (void)) { ... }
#define ATOLL_SHMEM_DEFINE(RESULT, NAME, PARAMETERS)                                               \
  extern "C" [[gnu::weak, gnu::alias("p" #NAME)]] RESULT NAME PARAMETERS;                          \
  extern "C" RESULT p##NAME PARAMETERS

/// Hides the templates behind the functions, so that calls skip the symbol lookup of a shared
/// library.
#define ATOLL_SHMEM_HIDDEN [[gnu::visibility("hidden")]]

#define ATOLL_SHMEM_UNWRAP(...) __VA_ARGS__

// Defines the functions of a family of include/shmem/declare.h. Each function calls
// `calls::GENERIC` for its type, with its own name before its arguments.
#define ATOLL_SHMEM_DEFINE_EACH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                \
  ATOLL_SHMEM_DEFINE(RESULT, shmem_##STEM, PARAMETERS) {                                           \
    return atl::shmem::calls::GENERIC<TYPE>("shmem_" #STEM, ATOLL_SHMEM_UNWRAP ARGUMENTS);         \
  }

/// Defines the functions of a family without and with a context as first argument. The team of the
/// context numbers the PEs.
#define ATOLL_SHMEM_DEFINE_BOTH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                \
  ATOLL_SHMEM_DEFINE_EACH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                      \
  ATOLL_SHMEM_DEFINE(RESULT, shmem_ctx_##STEM, (shmem_ctx_t ctx, ATOLL_SHMEM_UNWRAP PARAMETERS)) { \
    pe = atl::shmem::world_pe("shmem_ctx_" #STEM, ctx, pe);                                        \
    return atl::shmem::calls::GENERIC<TYPE>("shmem_ctx_" #STEM, ATOLL_SHMEM_UNWRAP ARGUMENTS);     \
  }

/// Defines the functions of a family of extensions.
#define ATOLL_SHMEM_DEFINE_EXTENSION(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)           \
  ATOLL_SHMEM_DEFINE(RESULT, shmemx_##STEM, PARAMETERS) {                                          \
    return atl::shmem::calls::GENERIC<TYPE>("shmemx_" #STEM, ATOLL_SHMEM_UNWRAP ARGUMENTS);        \
  }
