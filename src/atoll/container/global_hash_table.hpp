#pragma once
// What a global hash set and a global hash map have in common.

#include "atoll/array.hpp"
#include "atoll/container/hash_errand.hpp"
#include "atoll/container/hash_given.hpp"
#include "atoll/container/hash_operation.hpp"

#include <vector>

namespace atl::container {

template <class Key, class Value>
class global_hash_table {
  static_assert(
      message::packs<Key> && message::packs<Value>,
      "keys and values are trivially copyable, strings, or of a type for which `travel` is "
      "specialised");
  static_assert(sizeof(Key) + sizeof(Value) <= 512, "a key and its value have at most 512 bytes");

 protected:
  using given_key = hash_given<Key>;
  using given_value = hash_given<Value>;
  using shown_key = hash_shown<Key>;
  using shown_value = hash_shown<Value>;

 public:
  using entry = key_and_value<Key, Value>;

  /// The PE that holds a key: by its hash and the number of PEs only, however the table grows.
  int owner(shown_key key) const { return owner_of_hash(key_hash<Key>()(key), pes()); }

  /// Awaitable: erases, and returns true where the key was there.
  auto erase(given_key key, site where = site::current()) const {
    return operation<false>({std::forward<given_key>(key), Value{}, hash_verb::erase}, where);
  }

  /// Erases without waiting. Counted by the enclosing scope, done when that ends. Of tasks and
  /// handlers, in no order among each other.
  void async_erase(shown_key key, site where = site::current()) const {
    const auto erase_at = [](auto& table, const auto& of, no_value) { table.erase(of); };
    async_do<no_value>(key, {}, erase_at, where);
  }

  /// The number of keys. Between phases: keys that come or go meanwhile may count or not.
  task<std::uint64_t> size(site where = site::current()) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t of_pe : co_await sizes(where)) sum += of_pe;
    co_return sum;
  }

  /// Bytes of memory that the tables of all PEs hold, as the memory limit counts them: without what
  /// keys and values themselves hold, as long strings do. One task; between phases.
  task<std::uint64_t> bytes(site where = site::current()) const {
    std::uint64_t sum = 0;
    for (int pe = 0; pe < pes(); ++pe)
      sum += co_await call(pe, [all = parts_] { return all->table.bytes(); }, where);
    co_return sum;
  }

  /// How many operations of this PE were sent to others since the table was made, equal ones of a
  /// batch once; without those of `update` and `insert_or_update` that are waited for. Does not
  /// communicate.
  std::uint64_t local_sent() const { return parts_->sent; }

  /// Takes memory for so many keys in all, so that none waits for growth. One task; between phases.
  /// Throws atl::error (out_of_memory); some PEs may have the memory then.
  task<> reserve(std::uint64_t keys, site where = site::current()) const {
    const std::uint64_t share = ceil_divide(keys, static_cast<std::uint64_t>(pes()));
    co_await on_all_pes([all = parts_, share] { all->table.reserve(share + share / 64 + 64); },
                        where);
  }

  /// Erases all. One task; between phases.
  task<> clear(site where = site::current()) const {
    co_await on_all_pes([all = parts_] { all->table.clear(); }, where);
  }

  /// What the operations of all PEs became. One task calls it and waits.
  task<combining_statistics> statistics(site where = site::current()) const {
    combining_statistics all;
    for (int pe = 0; pe < pes(); ++pe)
      all.add(co_await call(pe, [of = combiners_] { return of->statistics(); }, where));
    co_return all;
  }

  /// Gives its memory back, on all PEs. One task, once, when no operation is under way.
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

  /// Calls `function(table, key, extra)` on the owner of the key, as a handler.
  template <class Extra, class Function>
  void async_do(shown_key key, hash_shown<Extra> extra, Function function, site where) const {
    container::async_do<Key, Extra>(owner(key), parts_, key, extra, function, where);
  }

  /// As `async_do`. Awaitable: what the function returns.
  template <class Extra, class Function>
  auto do_at_owner(shown_key key, hash_shown<Extra> extra, Function function, site where) const {
    return container::do_at_owner<Key, Extra>(owner(key), parts_, key, extra, function, where);
  }

  /// A copy of all that `element_of(key, value)` gives, those of PE 0 first. One task; between
  /// phases.
  template <class Element, class ElementOf>
  task<global_array<Element>> copy(ElementOf element_of, site where) const {
    static_assert(message::travels<Element>,
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
