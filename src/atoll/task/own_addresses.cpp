#include "atoll/task/own_addresses.hpp"

#include "atoll/base/error.hpp"

#include <cstring>
#include <pthread.h>

namespace atl::tasks {
namespace {

struct stretch_of_memory {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;

  bool has(std::uintptr_t address) const { return address - begin < bytes; }
};

stretch_of_memory find_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* begin = nullptr;
  std::size_t bytes = 0;
  const bool known = pthread_attr_getstack(&attributes, &begin, &bytes) == 0;
  pthread_attr_destroy(&attributes);
  return known ? stretch_of_memory{reinterpret_cast<std::uintptr_t>(begin), bytes}
               : stretch_of_memory{};
}

/// A simulated PE has a stack of its own, of which only the end in use is known.
bool lies_on_stack(std::uintptr_t address) {
  constexpr std::size_t k_near = 64 << 10;
  thread_local const stretch_of_memory of_thread = find_stack();
  const stretch_of_memory near{reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)),
                               k_near};
  return near.has(address) || of_thread.has(address);
}

}  // namespace

void check_own_addresses(std::span<const std::byte> closure, site where) {
  for (; closure.size() >= sizeof(std::uintptr_t); closure = closure.subspan(sizeof(void*))) {
    std::uintptr_t word = 0;
    std::memcpy(&word, closure.data(), sizeof word);
    if (!lies_on_stack(word)) continue;
    fail(errc::input,
         "{}: a closure that travels holds an address of its sender's stack, which means nothing "
         "on another PE; capture what it needs by value",
         to_string(where));
  }
}

}  // namespace atl::tasks
