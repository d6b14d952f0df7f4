#pragma once
// The hash of a key has 64 well-mixed bits, and structures use different ones. The highest bits
// determine the owner of a key, the lower bits its place in a table.

#include "atoll/random.hpp"

#include <bit>
#include <concepts>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace atl {

namespace container {

std::uint64_t hash_of_bytes(const void* bytes, std::size_t count) noexcept;

/// Equal values of it have equal bytes.
template <class Key>
concept plain_key =
    std::is_trivially_copyable_v<Key> && std::has_unique_object_representations_v<Key>;

}  // namespace container

/// The hash function of keys. Specialise it for your own key types: equal keys must have equal
/// hashes on all PEs, and all 64 bits must depend on the key.
template <class Key>
struct key_hash;

template <container::plain_key Key>
struct key_hash<Key> {
  std::uint64_t operator()(const Key& key) const noexcept {
    if constexpr (sizeof(Key) > sizeof(std::uint64_t)) {
      return container::hash_of_bytes(&key, sizeof(Key));
    } else {
      std::uint64_t word = 0;
      std::memcpy(&word, &key, sizeof(Key));
      return hash(word);
    }
  }
};

/// Strings of every kind, and views of them: a table of strings is asked by either.
template <class Key>
  requires std::convertible_to<const Key&, std::string_view>
struct key_hash<Key> {
  std::uint64_t operator()(std::string_view key) const noexcept {
    return container::hash_of_bytes(key.data(), key.size());
  }
};

}  // namespace atl
