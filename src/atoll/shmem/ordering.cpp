// Memory ordering: chapter 9.12 of OpenSHMEM 1.5. Contexts share their order: what one asks for
// holds for all.

#include "atoll/shmem/ordering.hpp"

#include "atoll/one_sided.hpp"
#include "atoll/shmem/api.hpp"
#include "atoll/shmem/contexts.hpp"
#include "atoll/shmem/include/shmem/ordering.h"
#include "atoll/shmem/world.hpp"

#include <atomic>
#include <cstdint>

namespace atl::shmem {
namespace {

bool all_are_reached() { return the_world.transport->far_memory() == nullptr; }

}  // namespace

// x86 keeps the order of stores, and copies around the caches end with a fence of their own.
void fence(const char* call) {
  check_running(call);
  std::atomic_signal_fence(std::memory_order_release);
  if (!all_are_reached()) on_pe(call, [] { memory::far_memory().fence(); });
}

void quiet(const char* call) {
  check_running(call);
  std::uint32_t order = 0;
  std::atomic_ref(order).exchange(0);  // all that was stored is seen before what is loaded next
  if (!all_are_reached()) await(call, []() -> task<> { co_await one_sided::quiet(); });
}

void complete_gets(const char* call, int pe) {
  if (the_world.transport->reached(pe) == nullptr) quiet(call);
}

}  // namespace atl::shmem

ATOLL_SHMEM_DEFINE(void, shmem_fence, (void)) { atl::shmem::fence("shmem_fence"); }

ATOLL_SHMEM_DEFINE(void, shmem_quiet, (void)) { atl::shmem::quiet("shmem_quiet"); }

ATOLL_SHMEM_DEFINE(void, shmem_ctx_fence, (shmem_ctx_t ctx)) {
  if (ctx != SHMEM_CTX_INVALID) atl::shmem::fence("shmem_ctx_fence");
}

ATOLL_SHMEM_DEFINE(void, shmem_ctx_quiet, (shmem_ctx_t ctx)) {
  if (ctx != SHMEM_CTX_INVALID) atl::shmem::quiet("shmem_ctx_quiet");
}
