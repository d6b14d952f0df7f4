// Makes tables of functions that differ in type only, such as all puts. For each function of a
// table, an adapter calls the function. All adapters of a table have the same signature, so that
// one function can check the whole table.
//
// A program that includes this file defines four macros. ADAPTER_PARAMETERS and ADAPTER_RESULT are
// the signature of the adapters. CALL_name(F, TYPE) is the body of an adapter that calls F. Each
// generic name has its own macro CALL_name. ROW(NAME, TYPE, GENERIC, ADAPTER) is a row of the
// table. ADAPT then defines the adapters, and ADAPTED defines the rows. For functions that also
// have a form with a context, ADAPT_BOTH and ADAPTED_BOTH define adapters and rows for both forms.
// The form with a context is called with the default context.
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
