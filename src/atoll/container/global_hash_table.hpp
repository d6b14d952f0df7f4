#pragma once
// This file has the common base class of a global hash set and a global hash map, and the
// awaitables of their operations.

#include "atoll/array.hpp"
#include "atoll/container/hash_proxy.hpp"
#include "atoll/container/hash_transfer.hpp"
#include "atoll/delegates.hpp"
#include "atoll/message/serialization.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace atl::container {

// The next types are parameter types for keys and values.

/// A parameter type for strings. An argument may be a std::string, or anything that converts to a
/// std::string_view.
struct given_string : std::string {
  given_string(std::string&& text) : std::string(std::move(text)) {}
  template <std::convertible_to<std::string_view> Text>
  given_string(const Text& text) : std::string(std::string_view(text)) {}
};

/// The parameter type of keys and values that an operation stores until the operation has ended.
/// Types that own memory are passed by value, so that callers can move their objects into the
/// operation.
template <class T>
using hash_given =
    std::conditional_t<message::bitwise_copyable<T>, const T&,
                       std::conditional_t<std::same_as<T, std::string>, given_string, T>>;

/// The parameter type of keys and values that a function reads only during the call.
template <class T>
using hash_shown = std::conditional_t<std::same_as<T, std::string>, std::string_view, const T&>;

// The next messages contain a function, a key and an additional argument, and go to the PE that
// holds the key.

/// A message that calls `function(table, key, extra)` on the receiving PE.
template <class Part, class Key, class Extra, class Function>
struct hash_errand {
  Key key;
  [[no_unique_address]] Extra extra;
  [[no_unique_address]] Function function;

  auto operator()(Part& own) const { return function(own.table, key, extra); }
  [[gnu::always_inline]] void prefetch(Part& own) const { own.table.prefetch(key); }
};

/// A message that calls `function(table, key, extra)` on the receiving PE. The payload is the
/// serialised `key` and `extra`. The function may get `key` and `extra` as views of the payload,
/// such as a std::string_view, instead of copies.
template <class Part, class Key, class Extra, class Function>
struct hash_packed_errand {
  per_pe<Part> parts;
  [[no_unique_address]] Function function;

  auto operator()(std::span<const std::byte> payload) const {
    message::unpacker from(payload);
    const auto key = from.next<Key>();
    const auto extra = from.next<Extra>();
    return function(parts->table, key, extra);
  }
};

template <class Key, class Extra>
std::vector<std::byte> packed(hash_shown<Key> key, hash_shown<Extra> extra) {
  std::vector<std::byte> bytes(message::packed_bytes<Key>(key) +
                               message::packed_bytes<Extra>(extra));
  message::pack<Extra>(message::pack<Key>(bytes.data(), key), extra);
  return bytes;
}

/// Calls `function(table, key, extra)` on PE `owner`, without waiting.
template <class Key, class Extra, class Part, class Function>
void async_do(int owner, per_pe<Part> parts, hash_shown<Key> key, hash_shown<Extra> extra,
              Function function, site where) {
  parts->sent += owner != my_pe() ? 1 : 0;
  if constexpr (k_is_plain<Key, Extra>) {
    parts.async_update(owner, hash_errand<Part, Key, Extra, Function>{key, extra, function}, where);
  } else {
    using errand = hash_packed_errand<Part, Key, Extra, Function>;
    async_call(owner, errand{parts, function}, packed<Key, Extra>(key, extra), where);
  }
}

/// Calls `function(table, key, extra)` on PE `owner`. Returns an awaitable of the function's
/// result.
template <class Key, class Extra, class Part, class Function>
auto do_at_owner(int owner, per_pe<Part> parts, hash_shown<Key> key, hash_shown<Extra> extra,
                 Function function, site where) {
  if constexpr (k_is_plain<Key, Extra>) {
    const hash_errand<Part, Key, Extra, Function> errand{key, extra, function};
    return call(owner, memory::touching([parts, errand] { return errand(parts.local()); }), where);
  } else {
    using errand = hash_packed_errand<Part, Key, Extra, Function>;
    return memory::call_with<std::span<const std::byte>>(owner, errand{parts, function},
                                                         packed<Key, Extra>(key, extra), where);
  }
}

// The next class is the awaitable of a single operation on a global hash table.

/// An awaitable for one operation. The result is a std::optional<Value> if `Looks` is true, and a
/// bool otherwise. An operation on a key that this PE owns is executed directly, after a prefetch
/// if the table is large. An operation on a key of another PE joins a batch of operations of this
/// PE. If the table does not combine operations, each operation is sent in a message of its own.
template <class Key, class Value, bool Looks>
class [[nodiscard]] hash_operation {
 public:
  using request = hash_request<Key, Value>;
  using part = hash_part<Key, Value>;

  /// Throws atl::error (input) if a key and its value together are larger than a message.
  hash_operation(per_pe<part> parts, hash_combiner<Key, Value>& combining, request&& wanted,
                 site where)
      : awaited_{.gate = combine::gate(1, where)},
        wanted_(std::move(wanted)),
        owner_(owner_of(wanted_.key)),
        parts_(parts),
        combining_(combining) {
    check_request(wanted_, where);
  }

  [[gnu::always_inline]] bool await_ready() {
    if (owner_ != my_pe())
      return combining_.combines() &&
             combining_.own().merge(wanted_, awaited_.answer, awaited_.gate);
    if (parts_->is_large()) return false;
    do_here();
    return true;
  }

  template <tasks::task_promise Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> suspended) {
    suspended.promise().waiting_at = awaited_.gate.where;
    if (owner_ == my_pe()) {
      parts_->table.prefetch(wanted_.key);
      this_pe().tasks->ready_when_fetched(suspended.promise());
      return std::noop_coroutine();
    }
    awaited_.gate.waiting = &suspended.promise();
    if (combining_.combines()) return combining_.own().lead_if_offered(awaited_.gate);
    ask_alone(owner_, parts_, wanted_, awaited_);
    return std::noop_coroutine();
  }

  auto await_resume() {
    awaited_.gate.check();
    if (owner_ == my_pe() && !awaited_.gate.is_open()) {
      this_pe().tasks->fetched();
      do_here();
    }
    if (has_failed(awaited_.outcome)) std::rethrow_exception(failure_of(awaited_.outcome));
    if (awaited_.outcome == hash_outcome::yes) awaited_.answer.yes = true;
    if constexpr (Looks) {
      return awaited_.answer.yes ? std::optional<Value>(std::move(awaited_.answer.value))
                                 : std::nullopt;
    } else {
      return awaited_.answer.yes;
    }
  }

 private:
  void do_here() {
    awaited_.answer = parts_->apply(wanted_);
    awaited_.gate.open_requests = 0;
  }

  // Thousands of task frames may contain a `hash_operation` at the same time, so the object is
  // small. Members that are accessed when the task is woken come first, next to each other.
  hash_awaited<Key, Value> awaited_;
  request wanted_;
  int owner_;
  per_pe<part> parts_;
  hash_combiner<Key, Value>& combining_;
};

// The next class is the common base class of a global hash set and a global hash map.

template <class Key, class Value>
class global_hash_table {
  static_assert(
      message::packs<Key> && message::packs<Value>,
      "keys and values are trivially copyable, strings, or of a type for which `serialization` is "
      "specialised");
  static_assert(sizeof(Key) + sizeof(Value) <= 512, "a key and its value have at most 512 bytes");

 protected:
  using given_key = hash_given<Key>;
  using given_value = hash_given<Value>;
  using shown_key = hash_shown<Key>;
  using shown_value = hash_shown<Value>;

 public:
  using entry = key_and_value<Key, Value>;

  /// Returns the PE that holds `key`. The owner of a key depends only on the key's hash and the
  /// number of PEs, so the owner does not change when the table grows.
  int owner(shown_key key) const { return owner_of_hash(key_hash<Key>()(key), pes()); }

  /// Returns an awaitable that erases `key`. The result is true if the key was present.
  auto erase(given_key key, site where = site::current()) const {
    return operation<false>({std::forward<given_key>(key), Value{}, hash_verb::erase}, where);
  }

  /// Erases `key` without waiting. The enclosing scope waits for the operation. Tasks and message
  /// handlers may call this function. Asynchronous operations may be executed in any order.
  void async_erase(shown_key key, site where = site::current()) const {
    const auto erase_at = [](auto& table, const auto& of, no_value) { table.erase(of); };
    async_do<no_value>(key, {}, erase_at, where);
  }

  /// Returns the number of keys. A key that is inserted or erased during the call may or may not be
  /// counted.
  task<std::uint64_t> size(site where = site::current()) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t of_pe : co_await sizes(where)) sum += of_pe;
    co_return sum;
  }

  /// Returns the number of bytes of memory that the tables of all PEs hold. The same bytes are
  /// charged to the memory limit. Memory that keys and values own, such as the contents of long
  /// strings, is not included. Call this function from one task, while no task changes the table.
  task<std::uint64_t> bytes(site where = site::current()) const {
    std::uint64_t sum = 0;
    for (int pe = 0; pe < pes(); ++pe)
      sum += co_await call(pe, [all = parts_] { return all->table.bytes(); }, where);
    co_return sum;
  }

  /// Returns the number of operations that this PE has sent to other PEs since the table was made.
  /// Equal operations of a batch are sent only once, and count once. Awaited calls of `update` and
  /// `insert_or_update` do not count. The function does not communicate.
  std::uint64_t local_sent() const { return parts_->sent; }

  /// Allocates memory for `keys` keys in total, so that later insertions need not wait for the
  /// table to grow. Call this function from one task, while no task uses the table. Throws
  /// atl::error (out_of_memory). After an error, some PEs may have allocated the additional memory.
  task<> reserve(std::uint64_t keys, site where = site::current()) const {
    const std::uint64_t share = ceil_divide(keys, static_cast<std::uint64_t>(pes()));
    co_await on_all_pes([all = parts_, share] { all->table.reserve(share + share / 64 + 64); },
                        where);
  }

  /// Erases all keys. Call this function from one task, while no task uses the table.
  task<> clear(site where = site::current()) const {
    co_await on_all_pes([all = parts_] { all->table.clear(); }, where);
  }

  /// Returns the sum of the combining statistics of all PEs. One task of the job calls this
  /// function and awaits it.
  task<combining_statistics> statistics(site where = site::current()) const {
    combining_statistics all;
    for (int pe = 0; pe < pes(); ++pe)
      all.add(co_await call(pe, [of = combiners_] { return of->statistics(); }, where));
    co_return all;
  }

  /// Frees the memory of the table on all PEs. One task of the job calls this function once, when
  /// no operation is in flight.
  task<> destroy(site where = site::current()) const {
    co_await combiners_.destroy(where);
    co_await parts_.destroy(where);
  }

 protected:
  using part = hash_part<Key, Value>;
  using request = hash_request<Key, Value>;

  task<> open(combining_options options, site where) {
    parts_ = co_await per_pe<part>::make(where);
    combiners_ = co_await per_pe<hash_combiner<Key, Value>>::make(where);
    const auto open_one = [all = combiners_, first = hash_proxy<Key, Value>(parts_), options] {
      all->open(first, options);
    };
    co_await on_all_pes(open_one, where);
  }

  local_hash_map<Key, Value>& own() const { return parts_->table; }

  template <bool Looks>
  auto operation(request&& wanted, site where) const {
    return hash_operation<Key, Value, Looks>(parts_, combiners_.local(), std::move(wanted), where);
  }

  /// Calls `function(table, key, extra)` on the owner of `key` without waiting. The function runs
  /// as a message handler.
  template <class Extra, class Function>
  void async_do(shown_key key, hash_shown<Extra> extra, Function function, site where) const {
    container::async_do<Key, Extra>(owner(key), parts_, key, extra, function, where);
  }

  /// Calls `function(table, key, extra)` on the owner of `key`. Returns an awaitable of the
  /// function's result.
  template <class Extra, class Function>
  auto do_at_owner(shown_key key, hash_shown<Extra> extra, Function function, site where) const {
    return container::do_at_owner<Key, Extra>(owner(key), parts_, key, extra, function, where);
  }

  /// Returns a new global array with the results of `element_of(key, value)` for all keys. The
  /// array has the results for the keys of PE 0 first, then the results for the keys of PE 1, and
  /// so on. The keys of one PE have no particular order. Call this function from one task, while no
  /// task changes the table.
  template <class Element, class ElementOf>
  task<global_array<Element>> copy(ElementOf element_of, site where) const {
    static_assert(message::bitwise_copyable<Element>,
                  "a snapshot is a global array, whose elements are trivially copyable; visit keys "
                  "and values that own memory with for_each_local");
    const auto counts = co_await sizes(where);
    const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const auto made = co_await make_array<Element>(all, {}, where);
    const auto copy_parts = [&, from = parts_] {
      std::uint64_t first = 0;
      for (int pe = 0; pe < pes(); ++pe) {
        async_call(
            pe,
            [from, made, first, element_of] {
              return copy_part<Element>(from, made, first, element_of);
            },
            where);
        first += counts[static_cast<std::size_t>(pe)];
      }
    };
    co_await finish(copy_parts, where);
    co_return made;
  }

 private:
  template <class Element, class ElementOf>
  static task<> copy_part(per_pe<part> from, global_array<Element> to, std::uint64_t first,
                          ElementOf element_of) {
    std::vector<Element> elements;
    elements.reserve(from->table.size());
    from->table.for_each(
        [&](const Key& key, const Value& value) { elements.push_back(element_of(key, value)); });
    co_await put(to, first, elements);
  }

  task<std::vector<std::uint64_t>> sizes(site where) const {
    std::vector<std::uint64_t> found;
    for (int pe = 0; pe < pes(); ++pe)
      found.push_back(co_await call(pe, [all = parts_] { return all->table.size(); }, where));
    co_return found;
  }

  per_pe<part> parts_;
  per_pe<hash_combiner<Key, Value>> combiners_;
};

}  // namespace atl::container
