#pragma once

#include "atoll/memory/global_array.hpp"

namespace atl {

/// A C++ object on every PE under one handle of 8 bytes, so that messages find the
/// object of the PE they arrive at.
template <class T>
class per_pe {
 public:
  per_pe() = default;

  /// The object of this PE. Does not communicate.
  T& local() const { return **place(); }
  T* operator->() const { return &local(); }

  /// Makes a T() on every PE. One task calls it. Whatever is not destroyed before goes with the
  /// job.
  static task<per_pe> make(site where = site::current()) {
    per_pe handle;
    handle.offset_ = co_await memory::allocate_everywhere(sizeof(T*), placement::owner_only, where);
    co_await on_all_pes([handle] { handle.make_local(); }, where);
    co_return handle;
  }

  /// Destroys the objects. One task, once.
  task<> destroy(site where = site::current()) const {
    co_await on_all_pes([handle = *this] { this_pe().memory->destroy_object(handle.offset_); },
                        where);
    co_await memory::release_everywhere(offset_, sizeof(T*), where);
  }

 private:
  T** place() const { return &object_at<T*>(offset_); }
  void make_local() const {
    auto made = std::make_shared<T>();
    *place() = made.get();
    this_pe().memory->own_object(offset_, std::move(made));
  }

  std::uint64_t offset_ = 0;
};

}  // namespace atl
