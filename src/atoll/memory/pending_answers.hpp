#pragma once
// The answers that tasks of one PE wait for. A request travels with a number of 32 bits that finds
// again who asked: an address would take twice as much, in every request and every answer.

#include "atoll/base/charged.hpp"

#include <cstdint>

namespace atl::memory {

/// Called by its own PE only.
class pending_answers {
 public:
  /// Where an answer goes: a slot of the type that the request names, and what that adds to it.
  struct receiver {
    void* slot;
    std::uintptr_t context;
  };

  explicit pending_answers(memory_account& account) : receivers_(account) {}

  /// The number of a new one. Throws atl::error (out_of_memory).
  std::uint32_t add(receiver whose) {
    if (free_ == receivers_.size()) receivers_.push_back({nullptr, free_ + 1});
    const std::uint32_t number = free_;
    free_ = static_cast<std::uint32_t>(receivers_[number].context);
    receivers_[number] = whose;
    return number;
  }

  /// Who waits for the answer; the number is free again.
  receiver take(std::uint32_t number) noexcept {
    const receiver found = receivers_[number];
    receivers_[number] = {nullptr, free_};
    free_ = number;
    return found;
  }

 private:
  charged_vector<receiver> receivers_;  // a free one has the number of the next free one
  std::uint32_t free_ = 0;              // as many as there are: none
};

}  // namespace atl::memory
