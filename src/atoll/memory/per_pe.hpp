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

  /// Runs `function(object)` on `pe`, as a handler, with the object of that PE; where the function
  /// has a `prefetch(object)`, that is called for the next ones of many. Counted by the enclosing
  /// scope. Does not block; throws atl::error (overflow).
  template <class Function>
  void async_update(int pe, Function function, site where = site::current()) const {
    static_assert(message::travels<Function>, "what travels must be trivially copyable");
    using near_form = memory::near_object<T*, on_object<Function>>;
    if (near_form::reaches(offset_)) [[likely]]
      return async_call(pe, near_form(offset_, on_object<Function>{function}), where);
    async_call(pe, [all = *this, function] { function(all.local()); }, where);
  }

  /// Makes a T() on every PE. One task calls it. Whatever is not destroyed before goes with the
  /// job.
  static task<per_pe> make(site where = site::current()) {
    per_pe handle;
    handle.offset_ = co_await memory::allocate_everywhere(sizeof(T*), placement::owner_only, where);
    co_await on_all_pes([handle] { handle.make_local(); }, where);
    co_return handle;
  }

  /// Tells whether the objects are there.
  memory::lifetime life() const { return memory::lifetime(offset_); }

  /// Destroys the objects. One task, once. Throws atl::error (input) where that was done before.
  task<> destroy(site where = site::current()) const {
    memory::check_destroyed_once(offset_, sizeof(T*), where);
    co_await on_all_pes([handle = *this] { this_pe().memory->destroy_object(handle.offset_); },
                        where);
    co_await memory::release_everywhere(offset_, sizeof(T*), where);
  }

 private:
  template <class Function>
  struct on_object {
    static constexpr bool is_leaf = requires { requires Function::is_leaf; };

    [[no_unique_address]] Function function;

    void operator()(T* object) const noexcept(std::is_nothrow_invocable_v<const Function&, T&>) {
      function(*object);
    }
    // The pointer to the object is in the cache, whatever the function touches.
    [[gnu::always_inline]] void prefetch([[maybe_unused]] T* object) const {
      if constexpr (requires(const Function& f, T& t) { f.prefetch(t); })
        function.prefetch(*object);
    }
  };

  T** place() const { return &object_at<T*>(offset_); }
  void make_local() const {
    auto made = std::make_shared<T>();
    *place() = made.get();
    this_pe().memory->own_object(offset_, std::move(made));
  }

  std::uint64_t offset_ = 0;
};

}  // namespace atl
