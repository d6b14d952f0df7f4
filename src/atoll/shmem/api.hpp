#pragma once
// Definitions of the functions of the C interface. Each function is defined under its name for the
// profiling interface, such as `pshmem_put` for `shmem_put`. The usual name is a weak alias, so a
// profiling tool can define a function of that name itself.

/// Defines a function of the C interface: ATOLL_SHMEM_DEFINE(void, shmem_quiet, (void)) { ... }
#define ATOLL_SHMEM_DEFINE(RESULT, NAME, PARAMETERS)                                               \
  extern "C" [[gnu::weak, gnu::alias("p" #NAME)]] RESULT NAME PARAMETERS;                          \
  extern "C" RESULT p##NAME PARAMETERS

/// Hides the templates that implement the functions, so that calls of them skip the symbol lookup
/// of a shared library.
#define ATOLL_SHMEM_HIDDEN [[gnu::visibility("hidden")]]

#define ATOLL_SHMEM_UNWRAP(...) __VA_ARGS__

// Defines the functions of a family of include/shmem/declare.h. Each function calls
// `calls::GENERIC` for its type. The name of the function is the first argument of that call, for
// messages.
#define ATOLL_SHMEM_DEFINE_EACH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                \
  ATOLL_SHMEM_DEFINE(RESULT, shmem_##STEM, PARAMETERS) {                                           \
    return atl::shmem::calls::GENERIC<TYPE>("shmem_" #STEM, ATOLL_SHMEM_UNWRAP ARGUMENTS);         \
  }

/// Defines each function of a family twice: without a context, and with a context as first
/// argument. With a context, the PE number is a number in the team of the context.
#define ATOLL_SHMEM_DEFINE_BOTH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                \
  ATOLL_SHMEM_DEFINE_EACH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                      \
  ATOLL_SHMEM_DEFINE(RESULT, shmem_ctx_##STEM, (shmem_ctx_t ctx, ATOLL_SHMEM_UNWRAP PARAMETERS)) { \
    pe = atl::shmem::world_pe("shmem_ctx_" #STEM, ctx, pe);                                        \
    return atl::shmem::calls::GENERIC<TYPE>("shmem_ctx_" #STEM, ATOLL_SHMEM_UNWRAP ARGUMENTS);     \
  }

/// Defines the functions of a family of extensions, with names that begin with shmemx_.
#define ATOLL_SHMEM_DEFINE_EXTENSION(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)           \
  ATOLL_SHMEM_DEFINE(RESULT, shmemx_##STEM, PARAMETERS) {                                          \
    return atl::shmem::calls::GENERIC<TYPE>("shmemx_" #STEM, ATOLL_SHMEM_UNWRAP ARGUMENTS);        \
  }
