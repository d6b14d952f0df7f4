#pragma once
// The operations of a global stack and of a global queue.

#include "atoll/container/ordered.hpp"

#include <vector>

namespace atl::container {

/// Elements that a PE keeps for itself, and the order in which it takes them.
template <class T>
struct own_part {
  container::kept_elements<T> elements;
  bool newest_first = false;
};

template <class T, class Proxy>
class ordered_structure {
  static_assert(message::travels<T> && alignof(T) <= 16 && sizeof(T) <= 512,
                "elements are trivially copyable, of at most 512 bytes");

 public:
  /// Awaitable: pushes, and returns when all PEs see it. Throws atl::error (out_of_memory) where
  /// there is no memory to grow; what was stored is still there.
  auto push(const T& value, site where = site::current()) const {
    return requests_.do_only({value, true}, where);
  }

  /// Awaitable: takes an element, as std::optional<T>; an empty one when there is none.
  auto pop(site where = site::current()) const { return requests_.perform({T{}, false}, where); }

  /// Pushes without waiting. Counted by the enclosing scope: visible to all when that ends, which
  /// gets the error where memory runs out. Of tasks and handlers, in no order among each other.
  void async_push(const T& value, site where = site::current()) const {
    requests_.async({value, true}, where);
  }

  /// The number of elements. Waits for the master.
  task<std::uint64_t> size(site where = site::current()) const { return cells_.size(where); }

  /// Keeps an element on this PE, which no other PE sees before `publish`. Does not communicate.
  void local_push(const T& value) const { own_->elements.push_back(value); }

  /// Takes, in the order of the structure, an element that this PE keeps for itself.
  std::optional<T> local_pop() const {
    auto& elements = own_->elements;
    if (elements.empty()) return std::nullopt;
    return own_->newest_first ? elements.pop_newest() : elements.pop_oldest();
  }

  /// How many elements this PE keeps for itself.
  std::uint64_t local_size() const { return own_->elements.size(); }

  /// Pushes what the PEs keep for themselves, each in the order of its `local_push`, and returns
  /// when all see it. One task calls it. Throws atl::error (out_of_memory) or std::bad_alloc
  /// where there is no memory to grow; what was not pushed, the PE still keeps.
  task<> publish(site where = site::current()) const {
    const auto push_own = [all = *this, from = transport::travelling_site(where)]() -> task<> {
      co_await all.publish_own(from);
    };
    co_await on_all_pes(push_own, where);
  }

  /// What the operations of all PEs became. One task calls it and waits.
  task<combining_statistics> statistics(site where = site::current()) const {
    return requests_.statistics(where);
  }

  /// Gives its memory back, on all PEs. One task, once, when no operation is under way.
  task<> destroy(site where = site::current()) const {
    co_await requests_.destroy(where);
    co_await cells_.destroy(where);
    co_await own_.destroy(where);
  }

 protected:
  task<> open(discipline order, combining_options options, site where) {
    cells_ = co_await cells::make(order, sizeof(T), where);
    requests_ = co_await flat_combining<Proxy>::make(Proxy(cells_), options, where);
    own_ = co_await per_pe<own_part<T>>::make(where);
    const bool newest_first = order == discipline::newest_first;
    const auto tell = [own = own_, newest_first] { own->newest_first = newest_first; };
    co_await on_all_pes(tell, where);
  }

 private:
  /// One commit after the other, for their order.
  task<> publish_own(site where) const {
    auto& kept = own_->elements;
    combine::gate written;
    std::exception_ptr failure;
    try {
      for (std::size_t left = kept.size(); left > 0 && !kept.empty();)
        left -= co_await push_oldest(cells_, kept, left, written, where);
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      failure = std::current_exception();
    }
    co_await combine::gate_awaiter(written, where);
    if (failure) std::rethrow_exception(failure);
  }

  flat_combining<Proxy> requests_;
  cells cells_;
  per_pe<own_part<T>> own_;
};

}  // namespace atl::container
