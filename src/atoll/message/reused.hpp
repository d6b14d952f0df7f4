#pragma once

#include <memory>
#include <vector>

namespace atl::message {

/// Objects that are used again and again, and stay where they are. Of one PE.
template <class T>
class reused {
 public:
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
  T& fresh() {
    idle_.reserve(all_.size() + 1);
    all_.push_back(std::make_unique<T>());
    return *all_.back();
  }

  std::vector<std::unique_ptr<T>> all_;
  std::vector<T*> idle_;
};

}  // namespace atl::message
