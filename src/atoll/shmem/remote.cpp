#include "atoll/shmem/remote.hpp"

#include "atoll/one_sided.hpp"

namespace atl::shmem {
namespace {

memory::one_sided_target beyond(const transport::remote_place& place) { return {nullptr, place}; }

struct word_awaiter : memory::far_awaiter {
  const transport::remote_place& at;
  const transport::atomic_operation& what;
  std::uint64_t before = 0;

  word_awaiter(const transport::remote_place& place, const transport::atomic_operation& operation)
      : far_awaiter(site::current()), at(place), what(operation) {}

  bool await_ready() const noexcept { return false; }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> handle) {
    suspend(handle.promise(), [this] { memory::far_memory().update(at, what, &before, *this); });
  }
  std::uint64_t await_resume() const noexcept { return before; }
};

}  // namespace

void put_far(const char* call, const transport::remote_place& to, std::span<const std::byte> from,
             bool lasts, const transport::signal_update* signal) {
  if (signal == nullptr && from.empty()) return;
  if (!lasts && from.size() > memory::k_largest_copied_aside && signal == nullptr)
    return await(call, [&]() -> task<> {
      co_await memory::put_awaiter<std::byte>(beyond(to), from, site::current());
    });
  on_pe(call, [&] { memory::far_memory().put(to, from, lasts, memory::open_puts(), signal); });
}

void get_far(const char* call, const transport::remote_place& from, std::span<std::byte> into) {
  await(call, [&]() -> task<> {
    co_await memory::get_awaiter<std::byte>(beyond(from), into, site::current());
  });
}

void get_far_nbi(const char* call, const transport::remote_place& from, std::span<std::byte> into) {
  if (into.empty()) return;
  on_pe(call, [&] { memory::far_memory().get(from, into, memory::open_puts()); });
}

void update_far(const char* call, const transport::remote_place& at,
                const transport::atomic_operation& what) {
  on_pe(call, [&] { memory::far_memory().update(at, what, nullptr, memory::open_puts()); });
}

std::uint64_t fetch_far(const char* call, const transport::remote_place& at,
                        const transport::atomic_operation& what) {
  std::uint64_t before = 0;
  await(call, [&]() -> task<> { before = co_await word_awaiter(at, what); });
  return before;
}

}  // namespace atl::shmem
