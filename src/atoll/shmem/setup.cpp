// Functions that begin and end a program, query its PEs, and control profiling: chapters 9.1, 9.2
// and 10 of OpenSHMEM 1.5, and older names.

#include "atoll/shmem/include/shmem/setup.h"

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/include/shmem/deprecated.h"
#include "atoll/shmem/lifetime.hpp"
#include "atoll/shmem/world.hpp"

#include <cstring>

// The next functions begin and end a program, query its PEs, and set its level of thread support:
// chapters 9.1 and 9.2 of OpenSHMEM 1.5.

using atl::shmem::the_world;

ATOLL_SHMEM_DEFINE(void, shmem_init, (void)) { atl::shmem::begin(SHMEM_THREAD_SINGLE); }

ATOLL_SHMEM_DEFINE(int, shmem_init_thread, (int requested, int* provided)) {
  if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) return -1;
  const int level = atl::shmem::begin(requested);
  if (provided != nullptr) *provided = level;
  return 0;
}

ATOLL_SHMEM_DEFINE(void, shmem_query_thread, (int* provided)) {
  *provided = the_world.thread_level;
}

ATOLL_SHMEM_DEFINE(void, shmem_finalize, (void)) { atl::shmem::end(); }

ATOLL_SHMEM_DEFINE(void, shmem_global_exit, (int status)) { atl::shmem::end_everywhere(status); }

ATOLL_SHMEM_DEFINE(int, shmem_my_pe, (void)) { return the_world.pe; }

ATOLL_SHMEM_DEFINE(int, shmem_n_pes, (void)) {
  return the_world.pes != 0 ? the_world.pes : the_world.pes_of_parent;
}

ATOLL_SHMEM_DEFINE(int, shmem_pe_accessible, (int pe)) {
  return pe >= 0 && pe < the_world.pes ? 1 : 0;
}

ATOLL_SHMEM_DEFINE(int, shmem_addr_accessible, (const void* addr, int pe)) {
  const auto at = reinterpret_cast<std::uintptr_t>(addr);
  const bool exists = pe >= 0 && pe < the_world.pes;
  return exists && (the_world.heap.holds(at, 1) || the_world.data.holds(at, 1)) ? 1 : 0;
}

ATOLL_SHMEM_DEFINE(void*, shmem_ptr, (const void* dest, int pe)) {
  if (pshmem_addr_accessible(dest, pe) == 0) return nullptr;
  return atl::shmem::locate("shmem_ptr", dest, 0, pe).reached;
}

ATOLL_SHMEM_DEFINE(void, shmem_info_get_version, (int* major, int* minor)) {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}

ATOLL_SHMEM_DEFINE(void, shmem_info_get_name, (char* name)) {
  std::strncpy(name, SHMEM_VENDOR_STRING, SHMEM_MAX_NAME_LEN - 1);
  name[SHMEM_MAX_NAME_LEN - 1] = '\0';
}

// Profiling: chapter 10 of OpenSHMEM 1.5. A profiling tool defines functions such as shmem_put
// itself, and calls the original functions under names such as pshmem_put. A profiling tool defines
// the meaning of `shmem_pcontrol`, so this library ignores calls of `shmem_pcontrol`.
ATOLL_SHMEM_DEFINE(void, shmem_pcontrol, (int, ...)) {}

// The next functions have names from before OpenSHMEM, or are cache operations for machines without
// cache coherence. The cache operations do nothing.
ATOLL_SHMEM_DEFINE(void, start_pes, (int)) { pshmem_init(); }

ATOLL_SHMEM_DEFINE(int, _my_pe, (void)) { return pshmem_my_pe(); }

ATOLL_SHMEM_DEFINE(int, _num_pes, (void)) { return pshmem_n_pes(); }

ATOLL_SHMEM_DEFINE(void, shmem_set_cache_inv, (void)) {}

ATOLL_SHMEM_DEFINE(void, shmem_set_cache_line_inv, (void*)) {}

ATOLL_SHMEM_DEFINE(void, shmem_clear_cache_inv, (void)) {}

ATOLL_SHMEM_DEFINE(void, shmem_clear_cache_line_inv, (void*)) {}

ATOLL_SHMEM_DEFINE(void, shmem_udcflush, (void)) {}

ATOLL_SHMEM_DEFINE(void, shmem_udcflush_line, (void*)) {}
