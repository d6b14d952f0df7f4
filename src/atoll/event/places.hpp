#pragma once
// What one PE knows of the slots of other PEs: a hash table that only grows. There are never more
// places than slots that the other PEs use at once.

#include "atoll/base/memory_account.hpp"
#include "atoll/local_memory.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::events {

/// A slot of another PE.
struct place {
  std::uint64_t key = 0;      ///< PE and slot; 0 is the slot of nobody
  std::uint32_t known = 0;    ///< this generation has ended, and how it did is known here
  std::uint32_t pending = 0;  ///< slot of this PE for the youngest generation that is awaited here
};

class place_table {
 public:
  explicit place_table(memory_account& account) : account_(account) { grow(k_least); }
  ~place_table() { account_.release(places_.size() * sizeof(place)); }
  place_table(const place_table&) = delete;
  place_table& operator=(const place_table&) = delete;

  /// The place, which is added if it is new. The reference holds until the next call. Throws
  /// atl::error (out_of_memory).
  place& at(std::uint64_t key) {
    place& found = places_[find(key)];
    if (found.key == key) [[likely]]
      return found;
    return add(key);
  }

  /// It will be looked at soon.
  [[gnu::always_inline]] void prefetch(std::uint64_t key) const {
    __builtin_prefetch(&places_[home(key)]);
  }

  /// Null: nothing is known of it.
  const place* look(std::uint64_t key) const {
    const place& found = places_[find(key)];
    return found.key == key ? &found : nullptr;
  }

 private:
  static constexpr std::size_t k_least = 64;
  static constexpr std::uint64_t k_neighbours = 8;

  /// Where it is looked for first. Slots beside each other, which are often used one after the
  /// other, have their places beside each other.
  std::size_t home(std::uint64_t key) const {
    return ((key / k_neighbours * 0x9e3779b97f4a7c15u) >> shift_) * k_neighbours +
           key % k_neighbours;
  }

  /// Where it is, or would be.
  std::size_t find(std::uint64_t key) const {
    std::size_t i = home(key);
    while (places_[i].key != key && places_[i].key != 0) i = (i + 1) & mask_;
    return i;
  }

  place& add(std::uint64_t key);
  void grow(std::size_t size);

  memory_account& account_;
  huge_vector<place> places_;
  std::size_t count_ = 0;
  std::size_t mask_ = 0;
  int shift_ = 0;
};

}  // namespace atl::events
