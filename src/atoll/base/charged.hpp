#pragma once
// Standard containers whose memory is charged to the memory account of their PE. The setting
// memory-limit bounds the account. If the PE has used up its share of the memory, adding an element
// throws atl::error (out_of_memory).

#include "atoll/base/memory_account.hpp"

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace atl {

/// An allocator that charges each allocation to a memory account. The account must outlive all
/// allocations. `allocate` throws atl::error (out_of_memory) if the account refuses the bytes.
template <class T>
class charged_allocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  charged_allocator(memory_account& account) noexcept : account_(&account) {}
  template <class Other>
  charged_allocator(const charged_allocator<Other>& other) noexcept : account_(&other.account()) {}

  T* allocate(std::size_t count) {
    account_->charge(count * k_element);
    try {
      return std::allocator<T>().allocate(count);
    } catch (...) {
      account_->release(count * k_element);
      throw;
    }
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    std::allocator<T>().deallocate(memory, count);
    account_->release(count * k_element);
  }

  memory_account& account() const noexcept { return *account_; }

  template <class Other>
  friend bool operator==(const charged_allocator& a, const charged_allocator<Other>& b) noexcept {
    return &a.account() == &b.account();
  }

 private:
  // Bytes of one element. `sizeof(T)` would be the same number, but clang-tidy reports it if `T` is
  // a pointer.
  static constexpr std::size_t k_element = sizeof(std::array<T, 1>);

  memory_account* account_;
};

/// Calls `grow()`, which replaces a block of `before` bytes by a block of `now` bytes. For a moment
/// both blocks exist, so the function charges the new block first and releases the old block last.
/// Throws atl::error (out_of_memory) if the account refuses the bytes, and rethrows exceptions of
/// `grow`.
template <class Grow>
void grow_charged(memory_account& account, std::size_t before, std::size_t now, Grow grow) {
  account.charge(now);
  try {
    grow();
  } catch (...) {
    account.release(now);
    throw;
  }
  account.release(before);
}

template <class T>
using charged_vector = std::vector<T, charged_allocator<T>>;
template <class T>
using charged_deque = std::deque<T, charged_allocator<T>>;
template <class Key, class Value>
using charged_map = std::unordered_map<Key, Value, std::hash<Key>, std::equal_to<Key>,
                                       charged_allocator<std::pair<const Key, Value>>>;

template <class Key, class Value>
using charged_ordered_map =
    std::map<Key, Value, std::less<Key>, charged_allocator<std::pair<const Key, Value>>>;

}  // namespace atl
