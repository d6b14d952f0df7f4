#pragma once
// Objects of one PE that stay where they are, and are used again; and lists that take no memory of
// their own. Both link objects by their member `next`, so that an object is in one of them at most.

#include <deque>
#include <utility>

namespace atl::memory {

/// Gives out objects as `T()` makes them. All end with it, also those that are in use.
template <class T>
class recycled {
 public:
  T& take() {
    if (free_ == nullptr) return all_.emplace_back();
    T& taken = *std::exchange(free_, free_->next);
    taken.next = nullptr;
    return taken;
  }
  void give_back(T& used) noexcept {
    used = T();
    used.next = std::exchange(free_, &used);
  }

 private:
  std::deque<T> all_;
  T* free_ = nullptr;
};

/// First come, first served.
template <class T>
class linked_queue {
 public:
  bool empty() const { return first_ == nullptr; }

  void push(T& last) {
    last.next = nullptr;
    (empty() ? first_ : last_->next) = &last;
    last_ = &last;
  }

  /// Not when empty.
  T& pop() { return *std::exchange(first_, first_->next); }

  /// False: it is not here.
  bool remove(const T& wanted) {
    T* before = nullptr;
    for (T* each = first_; each != nullptr; before = std::exchange(each, each->next)) {
      if (each != &wanted) continue;
      (before == nullptr ? first_ : before->next) = each->next;
      if (last_ == each) last_ = before;
      return true;
    }
    return false;
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;  // means nothing when empty
};

}  // namespace atl::memory
