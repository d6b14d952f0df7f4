#pragma once
// The events that have failed, as far as one PE knows. They are few, so that nothing of it is
// looked at where there is none.

#include "atoll/base/charged.hpp"
#include "atoll/event.hpp"

namespace atl::events {

class faults {
 public:
  explicit faults(memory_account& account) : all_(account) {}

  bool empty() const { return all_.empty(); }

  /// Null: it has not failed.
  const event_fault* find(name asked) const {
    if (all_.empty()) [[likely]]
      return nullptr;
    const auto found = all_.find(asked.word());
    return found != all_.end() ? &found->second : nullptr;
  }

  /// The first one counts.
  void add(name failed, const event_fault& fault) { all_.try_emplace(failed.word(), fault); }
  void remove(name triggered) { all_.erase(triggered.word()); }

 private:
  charged_map<std::uint64_t, event_fault> all_;
};

}  // namespace atl::events
