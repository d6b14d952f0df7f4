#pragma once
// The macros of this file define the functions of the C interface. Each function is defined under
// its name in the profiling interface, such as `pshmem_put` for `shmem_put`. The usual name of a
// function, such as `shmem_put`, is a weak alias, so that a profiling tool can define `shmem_put`
// itself.

/// Defines a function of the C interface: ATOLL_SHMEM_DEFINE(void, shmem_quiet, (void)) { ... }
#define ATOLL_SHMEM_DEFINE(RESULT, NAME, PARAMETERS)                                               \
  extern "C" [[gnu::weak, gnu::alias("p" #NAME)]] RESULT NAME PARAMETERS;                          \
  extern "C" RESULT p##NAME PARAMETERS

/// Hides the templates that implement the functions from other libraries. Calls of hidden templates
/// need no symbol lookup at run time.
#define ATOLL_SHMEM_HIDDEN [[gnu::visibility("hidden")]]

#define ATOLL_SHMEM_UNWRAP(...) __VA_ARGS__

// Defines the functions of a family (see include/shmem/declare.h). Each function calls
// `calls::GENERIC<TYPE>`. The first argument of `calls::GENERIC<TYPE>` is the name of the C
// function, for error messages.
#define ATOLL_SHMEM_DEFINE_EACH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                \
  ATOLL_SHMEM_DEFINE(RESULT, shmem_##STEM, PARAMETERS) {                                           \
    return atl::shmem::calls::GENERIC<TYPE>("shmem_" #STEM, ATOLL_SHMEM_UNWRAP ARGUMENTS);         \
  }

/// Defines each function of a family twice: without a context, and with a context as its first
/// argument. In a function with a context, the argument `pe` is a number in the team of the
/// context.
#define ATOLL_SHMEM_DEFINE_BOTH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                \
  ATOLL_SHMEM_DEFINE_EACH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                      \
  ATOLL_SHMEM_DEFINE(RESULT, shmem_ctx_##STEM, (shmem_ctx_t ctx, ATOLL_SHMEM_UNWRAP PARAMETERS)) { \
    pe = atl::shmem::world_pe("shmem_ctx_" #STEM, ctx, pe);                                        \
    return atl::shmem::calls::GENERIC<TYPE>("shmem_ctx_" #STEM, ATOLL_SHMEM_UNWRAP ARGUMENTS);     \
  }

/// Defines the functions of a family of extensions, whose names begin with shmemx_.
#define ATOLL_SHMEM_DEFINE_EXTENSION(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)           \
  ATOLL_SHMEM_DEFINE(RESULT, shmemx_##STEM, PARAMETERS) {                                          \
    return atl::shmem::calls::GENERIC<TYPE>("shmemx_" #STEM, ATOLL_SHMEM_UNWRAP ARGUMENTS);        \
  }
