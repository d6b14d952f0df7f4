#pragma once
// The operations of the linearizability tests, which all use one key of a structure. The structure
// is a map of numbers, a map of strings, or a set.

#include "atoll/atoll.hpp"
#include "linearizability/keyed_history.hpp"

#include <string>

namespace atl::test {

/// Keys and values of the test are numbers; this type converts them to the form in which a map
/// stores them.
struct as_numbers {
  using type = std::uint64_t;

  static type of(std::uint64_t number) { return number; }
  static std::uint64_t number(type kept) { return kept; }
};

/// The strings are too long to be stored inside the string object.
struct as_strings {
  using type = std::string;

  static type of(std::uint64_t number) { return fmt::format("{:040}", number); }
  static std::uint64_t number(const type& kept) { return std::stoull(kept); }
};

template <class Form>
struct map_uses {
  using structure = global_hash_map<typename Form::type, typename Form::type>;

  static task<> perform(structure map, keyed_operation& done) {
    const auto key = Form::of(done.key);
    const auto value = Form::of(done.value);
    const auto add = [number = done.value](typename Form::type& at) {
      at = Form::of(Form::number(at) + number);
    };
    switch (done.kind) {
    case keyed::lookup: {
      const auto found = co_await map.lookup(key);
      done.yes = found.has_value();
      done.value = found ? Form::number(*found) : 0;
      break;
    }
    case keyed::insert:
      done.yes = co_await map.insert(key, value);
      break;
    case keyed::assign:
      done.yes = co_await map.insert_or_assign(key, value);
      break;
    case keyed::erase:
      done.yes = co_await map.erase(key);
      break;
    case keyed::update:
      done.yes = co_await map.update(key, add);
      break;
    }
  }

  /// Inserts another key, so that the map grows.
  static void add_other(structure map, std::uint64_t key) {
    map.async_insert(Form::of(key), Form::of(0));
  }
};

using number_map_uses = map_uses<as_numbers>;
using string_map_uses = map_uses<as_strings>;

/// A set is treated as a map whose values are all equal. Operations that only maps have are
/// replaced by lookups.
struct set_uses {
  using structure = global_hash_set<std::uint64_t>;

  static task<> perform(structure set, keyed_operation& done) {
    done.value = 0;
    switch (done.kind) {
    case keyed::insert:
      done.yes = co_await set.insert(done.key);
      break;
    case keyed::erase:
      done.yes = co_await set.erase(done.key);
      break;
    default:
      done.kind = keyed::lookup;
      done.yes = co_await set.contains(done.key);
    }
  }

  static void add_other(structure set, std::uint64_t key) { set.async_insert(key); }
};

}  // namespace atl::test
