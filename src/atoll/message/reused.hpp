#pragma once

#include "atoll/base/memory_account.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace atl::message {

/// Objects that are used again and again, and stay where they are. Of one PE, whose account they
/// are on: they are never refused, for what needs one has come already.
template <class T>
class reused {
 public:
  explicit reused(memory_account& account) : account_(account) {}

  /// One that nobody uses, as it was left. Throws std::bad_alloc.
  T& take() {
    if (idle_.empty()) return fresh();
    T& taken = *idle_.back();
    idle_.pop_back();
    return taken;
  }

  /// May be taken again. Must not throw: there is room for all.
  void give_back(T& used) noexcept { idle_.push_back(&used); }

 private:
  static constexpr std::size_t k_cost =
      sizeof(T) + 2 * sizeof(std::size_t) + 2 * sizeof(T*);  // with its block and its places

  T& fresh() {
    if (idle_.capacity() == all_.size()) idle_.reserve(std::max<std::size_t>(8, 2 * all_.size()));
    all_.push_back(std::make_unique<T>());
    account_.add(k_cost);
    return *all_.back();
  }

  memory_account& account_;
  std::vector<std::unique_ptr<T>> all_;
  std::vector<T*> idle_;
};

}  // namespace atl::message
