#pragma once
// This file reads and writes memory of other PEs. Memory that is mapped into this process is
// accessed by loads and stores. Memory that is not mapped is called far, and is accessed by
// messages of the transport. A PE number in this file is the number of the PE in the job, not in a
// team. Every thread that may call OpenSHMEM functions may call the functions of this file.

#include "atoll/one_sided.hpp"
#include "atoll/shmem/world.hpp"

#include <cstring>

namespace atl::shmem {

using transport::atomic_kind;

// ---- The next functions access far memory (memory that is not mapped). `quiet` waits for
// operations that were begun by functions that do not block.
void put_far(const char* call, const transport::remote_place& to, std::span<const std::byte> from,
             bool lasts, const transport::signal_update* signal = nullptr);
/// Copies bytes from far memory. The call blocks until the bytes have arrived.
void get_far(const char* call, const transport::remote_place& from, std::span<std::byte> into);
void get_far_nbi(const char* call, const transport::remote_place& from, std::span<std::byte> into);
void update_far(const char* call, const transport::remote_place& at,
                const transport::atomic_operation& what);
/// Performs an atomic operation on a word of far memory, and returns the word's previous value. The
/// call blocks.
std::uint64_t fetch_far(const char* call, const transport::remote_place& at,
                        const transport::atomic_operation& what);

/// Copies bytes from mapped memory to mapped memory. A copy of 8 aligned bytes is a single store,
/// without a call of memcpy.
inline void copy_near(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t k_word = 8;
  if (bytes == k_word && reinterpret_cast<std::uintptr_t>(to) % k_word == 0) {
    std::uint64_t word;
    std::memcpy(&word, from, k_word);
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(to), word, __ATOMIC_RELEASE);
    return;
  }
  memory::copy_bytes(to, from, bytes);
}

/// Copies `bytes` bytes from `source` to the memory of PE `pe`. `dest` is a symmetric address. The
/// caller may change `source` after the call.
[[gnu::always_inline]] inline void put_bytes(const char* call, void* dest, const void* source,
                                             std::size_t bytes, int pe) {
  const auto to = locate(call, dest, bytes, pe);
  const auto* const from = static_cast<const std::byte*>(source);
  if (to.reached == nullptr) return put_far(call, to.place, {from, bytes}, false);
  copy_near(to.reached, from, bytes);
  stored_to(pe);
}

/// Begins to copy `bytes` bytes from `source` to the memory of PE `pe`. `dest` is a symmetric
/// address. The caller must not change `source` before `quiet` has returned.
inline void put_bytes_nbi(const char* call, void* dest, const void* source, std::size_t bytes,
                          int pe) {
  const auto to = locate(call, dest, bytes, pe);
  const auto* const from = static_cast<const std::byte*>(source);
  if (to.reached == nullptr) return put_far(call, to.place, {from, bytes}, true);
  copy_near(to.reached, from, bytes);
  stored_to(pe);
}

/// Copies `bytes` bytes from the memory of PE `pe` to `dest`. `source` is a symmetric address. The
/// call blocks until the bytes have arrived.
[[gnu::always_inline]] inline void get_bytes(const char* call, void* dest, const void* source,
                                             std::size_t bytes, int pe) {
  const auto from = locate(call, source, bytes, pe);
  auto* const into = static_cast<std::byte*>(dest);
  if (from.reached == nullptr) return get_far(call, from.place, {into, bytes});
  copy_near(into, from.reached, bytes);
}

inline void get_bytes_nbi(const char* call, void* dest, const void* source, std::size_t bytes,
                          int pe) {
  const auto from = locate(call, source, bytes, pe);
  auto* const into = static_cast<std::byte*>(dest);
  if (from.reached == nullptr) return get_far_nbi(call, from.place, {into, bytes});
  copy_near(into, from.reached, bytes);
}

/// Returns the location of the word `at` on PE `pe`. `at` is a symmetric address. In debug builds,
/// ends the job if the address is not a multiple of the word's size.
template <class T>
memory::one_sided_target locate_word(const char* call, const T* at, int pe) {
  if (k_checks_all && reinterpret_cast<std::uintptr_t>(at) % sizeof(T) != 0)
    refuse_misaligned(call, at, sizeof(T));
  return locate(call, at, sizeof(T), pe);
}

/// Performs an atomic operation on the word `at` of PE `pe`, and returns the word's previous value.
/// The call blocks.
template <atomic_kind Kind, class T>
T fetching(const char* call, const T* at, int pe, T operand = {}, T expected = {}) {
  const auto word = locate_word(call, at, pe);
  if (word.reached == nullptr)
    return memory::from_word<T>(
        fetch_far(call, word.place, memory::operation(Kind, operand, expected)));
  const T before = memory::apply_here<Kind>(word.reached, operand, expected);
  if constexpr (Kind != atomic_kind::load) stored_to(pe);
  return before;
}

template <atomic_kind Kind, class T>
void update(const char* call, T* at, int pe, T operand = {}) {
  const auto word = locate_word(call, at, pe);
  if (word.reached == nullptr)
    return update_far(call, word.place, memory::operation(Kind, operand));
  memory::apply_here<Kind>(word.reached, operand, T{});
  stored_to(pe);
}

}  // namespace atl::shmem
