#pragma once

#include "atoll/memory/global_array.hpp"

namespace atoll {

/// A C++ object on every PE under one trivially copyable handle, so that messages find the one of the
/// PE they arrive at.
template <class T>
class per_pe {
 public:
  per_pe() = default;

  /// The object of this PE. Does not communicate.
  T& local() const { return **place(); }
  T* operator->() const { return &local(); }

  /// Makes a T() on every PE. One task calls it.
  static task<per_pe> make() {
    per_pe handle;
    handle.pointers_ = co_await make_array<T*>(static_cast<std::uint64_t>(pes()), array_options(1));
    co_await on_all_pes([handle] { *handle.place() = new T(); });
    co_return handle;
  }

  /// Destroys the objects. One task, once.
  task<> destroy() const {
    co_await on_all_pes([handle = *this] { delete *handle.place(); });
    co_await pointers_.destroy();
  }

 private:
  T** place() const { return pointers_.local().data(); }

  global_array<T*> pointers_;
};

}  // namespace atoll
