#pragma once
// This file has the hash function for keys of hash tables. The hash of a key has 64 bits, which all
// depend on the whole key. The highest bits determine the PE that owns the key. The lower bits
// determine the key's place in the table of its PE.

#include "atoll/random.hpp"

#include <bit>
#include <concepts>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace atl {

namespace container {

std::uint64_t hash_of_bytes(const void* bytes, std::size_t count) noexcept;

/// A key type whose bytes can be hashed, because equal keys have equal bytes.
template <class Key>
concept plain_key =
    std::is_trivially_copyable_v<Key> && std::has_unique_object_representations_v<Key>;

}  // namespace container

/// The hash function for keys. Specialise this template for key types of your own. Equal keys must
/// have equal hashes on all PEs, and all 64 bits of the hash must depend on the key.
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

/// The hash function for strings of any type. A std::string and a std::string_view with the same
/// characters have the same hash, so a lookup may pass either.
template <class Key>
  requires std::convertible_to<const Key&, std::string_view>
struct key_hash<Key> {
  std::uint64_t operator()(std::string_view key) const noexcept {
    return container::hash_of_bytes(key.data(), key.size());
  }
};

}  // namespace atl
