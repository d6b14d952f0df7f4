#pragma once
// Collectives are operations of all PEs together. This header also has `per_pe`, which makes one
// object on each PE.

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

// Every PE must call the collectives in the same order, from one task per PE at a time. Each call
// suspends its task until the result is there. Small values travel up and down a binary tree whose
// root is PE 0. If only one PE needs the result, the root sends the result directly to that PE.
// Values are combined in the order of the tree, so results do not depend on timing.

/// Suspends the task until every PE has called this function. Afterwards, all tasks see the effects
/// of operations that a task had awaited before its PE called this function
/// (docs/explanation/memory-model.md).
task<> all_barrier(site where = site::current());

/// Combines the values of all PEs by `combine(a, b)`, which must be associative. Returns the result
/// on every PE. Every PE must call this function, which suspends the task until the result is
/// there.
template <class T, class Combine>
task<T> all_reduce(T value, Combine combine, site where = site::current()) {
  memory::refuse_owning<T>();
  std::array<T, 1> one{{value}};
  co_await memory::reduce_values(std::span<T>(one),
                                 memory::to_all(memory::k_all_reduce<T, Combine>), combine, where);
  co_return one[0];
}

/// Combines the vectors of all PEs element by element. Returns the result on every PE. Every PE
/// must call this function with a vector of the same length. The function checks the lengths.
/// Suspends the task. `combine` must be associative.
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

/// Combines the values of all PEs by `combine(a, b)`, which must be associative. Returns the result
/// on PE `root` only. Every PE must call this function. The other PEs get their own value back and
/// do not wait for the result. Throws atl::error (input) if PE `root` does not exist.
template <class T, class Combine>
task<T> all_reduce_to(int root, T value, Combine combine, site where = site::current()) {
  memory::refuse_owning<T>();
  memory::check_pe("all_reduce_to", root, where);
  std::array<T, 1> one{{value}};
  const memory::reduction_call call{memory::k_all_reduce_to<T, Combine>, root, root};
  co_await memory::reduce_values(std::span<T>(one), call, combine, where);
  co_return my_pe() == root ? one[0] : value;
}

/// Returns the value of PE `root` on every PE. Every PE must call this function, which suspends the
/// task until the value is there. Throws atl::error (input) if PE `root` does not exist.
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

/// Suspends the task until the whole job can make no progress by itself. When the call returns, no
/// application message of any scope is in flight, and no task is ready or sleeps. Every PE must
/// call this function (termination detection, message/termination.hpp).
task<> all_quiet(site where = site::current());

// The next collectives exchange data that differ for each pair of PEs. All PEs must call all
// collectives in the same order. On each PE, only one task at a time may call collectives. Each
// call suspends its task until the result is there.
//
// If this PE can store into the receiver's memory, a part of 64 KiB or more is copied only once,
// directly to its place. Before the copy, this PE sends the length of the part to the receiver, and
// the receiver answers with an address. Shorter parts, and parts for other nodes, travel as
// messages, which are batched and routed by node (message/routes.hpp). The receiver copies such
// parts to their place. If all lengths are known and memory is symmetric, `one_sided::all_to_all`
// (symmetric_collectives.hpp) needs no exchange of lengths and addresses.
//
// A part of 64 KiB or more is charged to the memory limit of the PE that receives the part. The
// part that a PE sends to itself is charged, too. If a part from another PE exceeds the limit, the
// job ends with atl::error (out_of_memory). If the part that a PE sends to itself exceeds the
// limit, the call throws the error on this PE and has no effect. The other PEs then still wait for
// this PE.

/// The data that each PE has sent to this PE: a range of spans, indexed by PE. Only this PE may use
/// the object. The elements live as long as the object.
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

  /// Returns the number of PEs. Returns 0 on a PE that gets no result.
  std::size_t size() const { return parts_.size(); }
  std::span<const T> operator[](std::size_t pe) const { return parts_[pe]; }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

 private:
  std::vector<memory::received_bytes> from_;
  std::vector<std::span<const T>> parts_;
};

/// Sends `parts[p]` of this PE to each PE p. Element q of the result is the part that PE q has sent
/// to this PE. Every PE must call this function, which suspends the task until all parts have
/// arrived. Throws atl::error (input) if `parts` does not have one part for each PE.
template <class T>
task<received_parts<T>> all_to_all(std::vector<std::span<const T>> parts,
                                   site where = site::current()) {
  memory::check_parts("all_to_all", parts.size(), where);
  std::vector<std::span<const std::byte>> outgoing;
  for (const auto& part : parts) outgoing.push_back(memory::bytes_in(part, where));
  co_return received_parts<T>(
      co_await memory::exchange(memory::k_all_to_all<T>, std::move(outgoing), where));
}

/// Sends the vector `parts[p]` of this PE to each PE p. Element q of the result is the part that PE
/// q has sent to this PE. Every PE must call this function, which suspends the task until all parts
/// have arrived. The vectors must stay unchanged until the call returns. Throws atl::error (input)
/// if `parts` does not have one part for each PE.
template <class T>
task<received_parts<T>> all_to_all(const std::vector<std::vector<T>>& parts,
                                   site where = site::current()) {
  return all_to_all(std::vector<std::span<const T>>(parts.begin(), parts.end()), where);
}

/// Returns the values of all PEs, indexed by PE, on every PE. The number of values may differ per
/// PE. Every PE must call this function, which suspends the task until all values have arrived.
template <class T>
task<received_parts<T>> all_gather(std::span<const T> values, site where = site::current()) {
  std::vector<std::span<const std::byte>> outgoing(static_cast<std::size_t>(pes()),
                                                   memory::bytes_in(values, where));
  co_return received_parts<T>(
      co_await memory::exchange(memory::k_all_gather<T>, std::move(outgoing), where));
}

/// Returns the values of all PEs, indexed by PE, on PE `root`, and nothing on the other PEs. Every
/// PE must call this function. The other PEs do not wait until PE `root` has the result. Throws
/// atl::error (input) if PE `root` does not exist.
template <class T>
task<received_parts<T>> all_gather_to(int root, std::span<const T> values,
                                      site where = site::current()) {
  memory::check_pe("all_gather_to", root, where);
  co_return received_parts<T>(co_await memory::gather_at(memory::k_all_gather_to<T>, root,
                                                         memory::bytes_in(values, where), where));
}

/// Returns one value of each PE, indexed by PE, on every PE. Every PE must call this function,
/// which suspends the task until all values have arrived.
template <class T>
task<std::vector<T>> all_gather(T value, site where = site::current()) {
  memory::refuse_owning<T>();
  const std::array<T, 1> one{{value}};
  const auto all = co_await all_gather(std::span<const T>(one), where);
  std::vector<T> result;
  for (const auto& of_pe : all) result.push_back(of_pe[0]);
  co_return result;
}

/// One C++ object per PE under one handle of 8 bytes. A handler that gets the handle in a message
/// finds the object of its own PE.
template <class T>
class per_pe {
 public:
  per_pe() = default;

  /// Returns the object of this PE. Does not communicate. The objects must exist: using them after
  /// `destroy` ends the program with a signal.
  T& local() const { return **place(); }
  T* operator->() const { return &local(); }

  /// Runs `function(object)` as a handler on PE `pe`, with the object of that PE. Does not block.
  /// The enclosing scope waits for the call. If the function has a member `prefetch(object)`, the
  /// runtime calls `prefetch` ahead of time, while it executes earlier messages. Throws atl::error
  /// (overflow).
  template <class Function>
  void async_update(int pe, Function function, site where = site::current()) const {
    static_assert(message::bitwise_copyable<Function>, "what travels must be trivially copyable");
    using near_form = memory::compact_call<T*, on_object<Function>>;
    if (near_form::reaches(offset_)) [[likely]]
      return async_call(pe, near_form(offset_, on_object<Function>{function}), where);
    async_call(pe, [all = *this, function] { function(all.local()); }, where);
  }

  /// Makes an object `T()` on every PE. One task calls this function and waits. Objects that the
  /// program does not destroy are destroyed at the end of the job. Throws atl::error
  /// (out_of_memory).
  static task<per_pe> make(site where = site::current()) {
    per_pe handle;
    handle.offset_ = co_await memory::allocate_everywhere(sizeof(T*), placement::owner_only, where);
    co_await on_all_pes([handle] { handle.make_local(); }, where);
    co_return handle;
  }

  /// Returns an object that can tell later whether the objects still exist.
  memory::lifetime life() const { return memory::lifetime(offset_); }

  /// Destroys the objects of all PEs. One task calls this function once and waits. Throws
  /// atl::error (input) if the objects were destroyed before.
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
    // The pointer to the object is already in the cache, and only the function knows what else must
    // be prefetched.
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

// With the next functions, a single task starts collective work of all PEs.

/// Runs `body()`, a coroutine that calls collectives, on every PE. Suspends the task until `body()`
/// has returned on all PEs. One task of the job calls this function. If an exception escapes `body`
/// on any PE, the job ends with the exit status of the exception. The job must end, because the
/// other PEs would wait forever for the PE whose `body` has failed. If a PE is in another
/// collective at the same time, the job ends with atl::error (input).
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

/// Runs `body()`, a coroutine that calls collectives, on every PE. Suspends the task until `body()`
/// has returned on all PEs. Returns the result of `body()` on the PE of the caller. One task of the
/// job calls this function, under the rules of `together`.
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
