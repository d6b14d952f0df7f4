#pragma once
// This file has an object pool for one PE, and a queue that allocates no memory. The pool's objects
// never move in memory. The object pool and the queue both link objects by the member `next`, so an
// object cannot be in the pool and in a queue at the same time.

#include <deque>
#include <utility>

namespace atl::memory {

/// An object pool. `take` returns an object that equals `T()`. The destructor of the pool destroys
/// all its objects, including objects in use.
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

/// A first-in, first-out queue, which links its objects by their member `next`.
template <class T>
class linked_queue {
 public:
  bool empty() const { return first_ == nullptr; }

  void push(T& last) {
    last.next = nullptr;
    (empty() ? first_ : last_->next) = &last;
    last_ = &last;
  }

  /// Removes and returns the first object. The queue must not be empty.
  T& pop() { return *std::exchange(first_, first_->next); }

  /// Removes `wanted` from the queue. Returns false if `wanted` is not in the queue.
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
  T* last_ = nullptr;  // unspecified if the queue is empty
};

}  // namespace atl::memory
