#pragma once
// The tables of the benchmark under one interface: the tables of the library, and a table made of
// local tables and remote calls. Each table is a small trivially copyable handle.

#include "atoll/atoll.hpp"
#include "bench/hash_load.hpp"

#include <optional>
#include <type_traits>

namespace atl::bench::hash {

/// The result of a lookup: whether the key was found, and whether its value was right.
struct look {
  bool found = false;
  bool is_right = true;

  look(bool was_there) : found(was_there) {}
};

inline look look_of(bool was_there, std::uint64_t) { return was_there; }
inline look look_of(const std::optional<std::uint64_t>& value, std::uint64_t key) {
  look at(value.has_value());
  at.is_right = !value || *value == value_of(key);
  return at;
}

class shared_set : public global_hash_set<std::uint64_t> {
  using base = global_hash_set<std::uint64_t>;

 public:
  static task<shared_set> make(combining_mode mode) {
    shared_set made;
    static_cast<base&>(made) = co_await base::make(combining_options(mode));
    co_return made;
  }
  auto look_up(std::uint64_t key) const { return contains(key); }
  template <class Visit>
  void each_local(Visit&& visit) const {
    for_each_local([&](std::uint64_t key) { visit(key, value_of(key)); });
  }
};

class shared_map : public global_hash_map<std::uint64_t, std::uint64_t> {
  using base = global_hash_map<std::uint64_t, std::uint64_t>;

 public:
  static task<shared_map> make(combining_mode mode) {
    shared_map made;
    static_cast<base&>(made) = co_await base::make(combining_options(mode));
    co_return made;
  }
  auto insert(std::uint64_t key) const { return base::insert(key, value_of(key)); }
  void async_insert(std::uint64_t key) const { base::async_insert(key, value_of(key)); }
  auto look_up(std::uint64_t key) const { return lookup(key); }
  template <class Visit>
  void each_local(Visit&& visit) const {
    for_each_local(visit);
  }
};

using local_set = local_hash_set<std::uint64_t>;
using local_map = local_hash_map<std::uint64_t, std::uint64_t>;

inline bool insert_into(local_set& table, std::uint64_t key) { return table.insert(key); }
inline bool insert_into(local_map& table, std::uint64_t key) {
  return table.insert(key, value_of(key)).second;
}
inline bool look_into(const local_set& table, std::uint64_t key) { return table.contains(key); }
inline std::optional<std::uint64_t> look_into(const local_map& table, std::uint64_t key) {
  const std::uint64_t* const value = table.find(key);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

/// A table made of a local table on each PE. Each operation is a call on the PE that owns the key.
template <class Table>
class delegates {
 public:
  static task<delegates> make(combining_mode) {
    delegates made;
    made.tables_ = co_await per_pe<Table>::make();
    co_return made;
  }
  auto insert(std::uint64_t key) const {
    return call(container::owner_of(key),
                memory::touching([all = tables_, key] { return insert_into(all.local(), key); }));
  }
  auto look_up(std::uint64_t key) const {
    return call(container::owner_of(key),
                memory::touching([all = tables_, key] { return look_into(all.local(), key); }));
  }
  void async_insert(std::uint64_t key) const {
    tables_.async_update(container::owner_of(key), [key](Table& own) { insert_into(own, key); });
  }
  task<> reserve(std::uint64_t keys) const {
    const std::uint64_t share = ceil_divide(keys, static_cast<std::uint64_t>(pes()));
    co_await on_all_pes([all = tables_, share] { all->reserve(share); });
  }
  template <class Visit>
  void each_local(Visit&& visit) const {
    if constexpr (std::is_same_v<Table, local_set>) {
      tables_->for_each([&](std::uint64_t key) { visit(key, value_of(key)); });
    } else {
      tables_->for_each(visit);
    }
  }
  task<std::uint64_t> bytes() const {
    std::uint64_t sum = 0;
    for (int pe = 0; pe < pes(); ++pe)
      sum += co_await call(pe, [all = tables_] { return all->bytes(); });
    co_return sum;
  }
  static task<combining_statistics> statistics() { co_return combining_statistics(); }
  task<> destroy() const { return tables_.destroy(); }

 private:
  per_pe<Table> tables_;
};

}  // namespace atl::bench::hash
