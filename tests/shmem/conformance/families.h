// Functions of a family are rows of a table. Adapters have one signature for all types, so that one
// plain function checks them all.
//
// A program defines four macros. ADAPTER_PARAMETERS and ADAPTER_RESULT are the signature.
// CALL_name(F, TYPE), for each generic name, is the body of an adapter that calls F. ROW(NAME,
// TYPE, GENERIC, ADAPTER) is a row. ADAPT then makes the adapters, and ADAPTED the rows. ..._BOTH
// does so for a function and for its form with a context, which is called on the default one.
#ifndef FAMILIES_H
#define FAMILIES_H

#include <shmem.h>

#include <shmem/declare.h>

#define ADAPT(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                                  \
  static ADAPTER_RESULT call_##STEM ADAPTER_PARAMETERS { CALL_##GENERIC(shmem_##STEM, TYPE); }
#define ADAPTED(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                                \
  ROW("shmem_" #STEM, TYPE, GENERIC, call_##STEM)

#define ADAPT_BOTH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                             \
  ADAPT(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                                        \
  static RESULT on_default_##STEM PARAMETERS {                                                     \
    return shmem_ctx_##STEM(SHMEM_CTX_DEFAULT, ATOLL_SHMEM_OPEN ARGUMENTS);                        \
  }                                                                                                \
  static ADAPTER_RESULT call_ctx_##STEM ADAPTER_PARAMETERS {                                       \
    CALL_##GENERIC(on_default_##STEM, TYPE);                                                       \
  }
#define ADAPTED_BOTH(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                           \
  ADAPTED(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)                                      \
  ROW("shmem_ctx_" #STEM, TYPE, GENERIC, call_ctx_##STEM)

#endif
