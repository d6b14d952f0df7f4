// Memory ordering and communication contexts of OpenSHMEM 1.5.

#include "atoll/shmem/ordering.hpp"

#include "atoll/one_sided.hpp"
#include "atoll/shmem/api.hpp"
#include "atoll/shmem/errors.hpp"
#include "atoll/shmem/include/shmem/sync.h"
#include "atoll/shmem/teams.hpp"
#include "atoll/shmem/world.hpp"

#include <atomic>
#include <cstdint>
#include <fmt/format.h>

namespace atl::shmem {

// Memory ordering: chapter 9.12 of OpenSHMEM 1.5. The operations of all contexts have one common
// order, so a fence or quiet on one context applies to all contexts.
namespace {

bool all_are_reached() { return the_world.transport->far_memory() == nullptr; }

}  // namespace

// On x86, other PEs see ordinary stores in program order, so no instruction is needed. Copies by
// non-temporal stores end with a fence of their own.
void fence(const char* call) {
  check_running(call);
  std::atomic_signal_fence(std::memory_order_release);
  if (!all_are_reached()) on_pe(call, [] { memory::far_memory().fence(); });
}

void quiet(const char* call) {
  check_running(call);
  std::uint32_t order = 0;
  // an atomic exchange: earlier stores become visible before later loads
  std::atomic_ref(order).exchange(0);
  if (!all_are_reached()) await(call, []() -> task<> { co_await one_sided::quiet(); });
}

void complete_gets(const char* call, int pe) {
  if (the_world.transport->directly_mapped(pe) == nullptr) quiet(call);
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

// The next functions implement communication contexts.
/// The object behind the context handles of the header.
struct atoll_shmem_ctx {
  atl::shmem::team& of;
  long options;
};

namespace atl::shmem {

int world_pe_of(const char* call, shmem_ctx_t ctx, int pe) {
  if (ctx == SHMEM_CTX_INVALID) refuse(call, "the context is SHMEM_CTX_INVALID");
  const group& who = ctx->of.who;
  if (pe < 0 || pe >= who.size)
    refuse(call, fmt::format("PE {} does not exist in the team of the context, which has {} PEs",
                             pe, who.size));
  return who.pe_of(pe);
}

}  // namespace atl::shmem

ATOLL_SHMEM_DEFINE(int, shmem_team_create_ctx,
                   (shmem_team_t team, long options, shmem_ctx_t* ctx)) {
  constexpr long k_options = SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE;
  *ctx = SHMEM_CTX_INVALID;
  auto* const of = atl::shmem::find_team(team);
  if (of == nullptr || (options & ~k_options) != 0) return -1;
  ++of->contexts;
  *ctx = new atoll_shmem_ctx{*of, options};
  return 0;
}

ATOLL_SHMEM_DEFINE(int, shmem_ctx_create, (long options, shmem_ctx_t* ctx)) {
  return pshmem_team_create_ctx(SHMEM_TEAM_WORLD, options, ctx);
}

ATOLL_SHMEM_DEFINE(void, shmem_ctx_destroy, (shmem_ctx_t ctx)) {
  if (ctx == SHMEM_CTX_INVALID) return;
  if (ctx == SHMEM_CTX_DEFAULT)
    atl::shmem::refuse("shmem_ctx_destroy", "the default context cannot be destroyed");
  atl::shmem::quiet("shmem_ctx_destroy");
  --ctx->of.contexts;
  delete ctx;
}

ATOLL_SHMEM_DEFINE(int, shmem_ctx_get_team, (shmem_ctx_t ctx, shmem_team_t* team)) {
  if (ctx == SHMEM_CTX_INVALID) {
    *team = SHMEM_TEAM_INVALID;
    return -1;
  }
  *team = ctx == SHMEM_CTX_DEFAULT ? SHMEM_TEAM_WORLD : ctx->of.handle;
  return 0;
}
