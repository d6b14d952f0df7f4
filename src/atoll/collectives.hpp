#pragma once
// Collectives: what all PEs do together, and objects that each PE has one of.

#include "atoll/array.hpp"
#include "atoll/loops.hpp"
#include "atoll/memory/collective_state.hpp"
#include "atoll/memory/collective_values.hpp"

#include <array>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace atl {

// Collectives: every PE calls them, one task a PE at a time, in the same order; each suspends its
// task until it has what it waits for. Small values go up and down a binary tree rooted at PE 0, or
// up and straight to the PE that wants them, and are combined in the order of the tree, so results
// do not depend on timing.

/// Returns when every PE has called it.
task<> all_barrier(site where = site::current());

/// `combine(a, b)` over the values of all PEs, on every PE. The operation must be associative.
template <class T, class Combine>
task<T> all_reduce(T value, Combine combine, site where = site::current()) {
  memory::refuse_owning<T>();
  std::array<T, 1> one{{value}};
  co_await memory::reduce_values(std::span<T>(one),
                                 memory::to_all(memory::k_all_reduce<T, Combine>), combine, where);
  co_return one[0];
}

/// Element by element; the vectors have equal lengths on all PEs, which is looked at.
template <class T, class Combine>
task<std::vector<T>> all_reduce(std::vector<T> values, Combine combine,
                                site where = site::current()) {
  memory::refuse_owning<T>();
  static_assert(!std::is_same_v<T, bool>,
                "a std::vector<bool> has no elements to send: write std::vector<char>");
  co_await memory::reduce_values(std::span<T>(values),
                                 memory::to_all(memory::k_all_reduce<T, Combine>), combine, where);
  co_return values;
}

/// As all_reduce, on PE `root` alone: the others get their own value back, and do not wait for it.
template <class T, class Combine>
task<T> all_reduce_to(int root, T value, Combine combine, site where = site::current()) {
  memory::refuse_owning<T>();
  memory::check_pe("all_reduce_to", root, where);
  std::array<T, 1> one{{value}};
  const memory::reduction_call call{memory::k_all_reduce_to<T, Combine>, root, root};
  co_await memory::reduce_values(std::span<T>(one), call, combine, where);
  co_return my_pe() == root ? one[0] : value;
}

/// The value of PE `root`, on every PE.
template <class T>
task<T> all_broadcast(T value, int root = 0, site where = site::current()) {
  memory::refuse_owning<T>();
  memory::check_pe("all_broadcast", root, where);
  std::vector<memory::offered<T>> one(1, memory::offered<T>{value, my_pe() == root});
  const auto offered_one = [](const auto& a, const auto& b) { return a.offers ? a : b; };
  const memory::reduction_call call{memory::k_all_broadcast<T>, root, memory::k_every_pe};
  co_await memory::reduce_values(std::span(one), call, offered_one, where);
  co_return one[0].value;
}

/// Returns when nothing can happen any more by itself: no application message is under way, whoever
/// it belongs to, and no task is ready or sleeps (termination detection, message/termination.hpp).
task<> all_quiet(site where = site::current());

// Collectives that exchange what differs per pair of PEs. Every PE calls them, one task a PE at a
// time, in the same order as all other collectives.
//
// A part for a PE whose memory is reached is stored there once, without a copy on the way: its PE
// is told how long it is, and answers where it goes. Short parts, and those for other nodes, travel
// as messages, which are batched and routed by node (message/routes.hpp), and are stored from these
// where they go. Where all lengths are known, and memory is symmetric, `one_sided::all_to_all`
// (symmetric_collectives.hpp) needs no answers.
//
// Parts of 64 KiB and more count as data of the PE that has received them, itself included. Beyond
// what that may hold the job ends with an error (out_of_memory); a call that throws it, for what it
// sends to itself, has done nothing, and the others wait for it.

/// What each PE has sent to this one: a range of spans, by PE. Used on its PE only; the elements
/// end with it.
template <class T>
class received_parts {
  static_assert(std::is_trivially_copyable_v<T>, "what travels must be trivially copyable");
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__, "parts have this alignment");

 public:
  received_parts() = default;
  explicit received_parts(std::vector<memory::received_bytes> from) : from_(std::move(from)) {
    for (const auto& part : from_) {
      const auto bytes = part.all();
      parts_.emplace_back(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
    }
  }

  /// PEs; 0 where nothing is received here.
  std::size_t size() const { return parts_.size(); }
  std::span<const T> operator[](std::size_t pe) const { return parts_[pe]; }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

 private:
  std::vector<memory::received_bytes> from_;
  std::vector<std::span<const T>> parts_;
};

/// parts[p] of this PE goes to PE p; the result's element q is what PE q sent here. Throws
/// atl::error (input) where there is not one part for each PE.
template <class T>
task<received_parts<T>> all_to_all(std::vector<std::span<const T>> parts,
                                   site where = site::current()) {
  memory::check_parts("all_to_all", parts.size(), where);
  std::vector<std::span<const std::byte>> outgoing;
  for (const auto& part : parts) outgoing.push_back(memory::bytes_in(part, where));
  co_return received_parts<T>(
      co_await memory::exchange(memory::k_all_to_all<T>, std::move(outgoing), where));
}

/// The same, of vectors, which stay as they are until it returns.
template <class T>
task<received_parts<T>> all_to_all(const std::vector<std::vector<T>>& parts,
                                   site where = site::current()) {
  return all_to_all(std::vector<std::span<const T>>(parts.begin(), parts.end()), where);
}

/// The values of all PEs, by PE, on every PE; their numbers may differ.
template <class T>
task<received_parts<T>> all_gather(std::span<const T> values, site where = site::current()) {
  std::vector<std::span<const std::byte>> outgoing(static_cast<std::size_t>(pes()),
                                                   memory::bytes_in(values, where));
  co_return received_parts<T>(
      co_await memory::exchange(memory::k_all_gather<T>, std::move(outgoing), where));
}

/// The values of all PEs, by PE, on PE `root`; nothing on the others, which do not wait for its
/// task.
template <class T>
task<received_parts<T>> all_gather_to(int root, std::span<const T> values,
                                      site where = site::current()) {
  memory::check_pe("all_gather_to", root, where);
  co_return received_parts<T>(co_await memory::gather_at(memory::k_all_gather_to<T>, root,
                                                         memory::bytes_in(values, where), where));
}

/// One value of each PE, by PE, on every PE.
template <class T>
task<std::vector<T>> all_gather(T value, site where = site::current()) {
  memory::refuse_owning<T>();
  const std::array<T, 1> one{{value}};
  const auto all = co_await all_gather(std::span<const T>(one), where);
  std::vector<T> result;
  for (const auto& of_pe : all) result.push_back(of_pe[0]);
  co_return result;
}

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

// Work that all PEs do together, with collectives, as one task sees it.

/// Awaits `body()`, a coroutine with collectives, on every PE. What it throws on one of them ends
/// the job, with the exit status of the exception: the others would wait for that PE for ever. One
/// task of the job calls it, and no PE is in another collective meanwhile, which ends the job with
/// an error (input). Blocks the task.
template <class Body>
task<> together(Body body, site where = site::current()) {
  static_assert(std::is_void_v<tasks::result_of<const Body&>>, "from_all_pes returns a result");
  tasks::refuse_references<Body>();
  const auto begin = [](const void* own) { return (*static_cast<const Body*>(own))(); };
  return memory::run_on_all_pes(
      [body, begin, call = memory::call_here(where)] {
        return memory::ending_the_job(begin, &body, call);
      },
      where);
}

/// As `together`; returns what `body()` returned on the PE of the task that calls it.
template <class Body>
auto from_all_pes(Body body, site where = site::current()) -> task<tasks::result_of<const Body&>> {
  std::optional<tasks::result_of<const Body&>> result;
  const auto keep_here = [body, to = tasks::own_pointer(&result), here = my_pe()]() -> task<> {
    auto mine = co_await body();
    if (my_pe() == here) to.get()->emplace(std::move(mine));
  };
  co_await together(keep_here, where);
  co_return std::move(*result);
}

}  // namespace atl
