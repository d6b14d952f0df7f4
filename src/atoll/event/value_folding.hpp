#pragma once
// How the values that arrivals carry become one, where their type is not known.

#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

namespace atl::events {

/// Folds the value into what is there.
using fold_function = std::function<void(std::byte* into, const std::byte* value)>;

template <class T, class Combine>
fold_function folding_by(const Combine& combine) {
  return [combine](std::byte* into, const std::byte* value) {
    T present;
    T added;
    std::memcpy(&present, into, sizeof(T));
    std::memcpy(&added, value, sizeof(T));
    present = combine(present, added);
    std::memcpy(into, &present, sizeof(T));
  };
}

/// How the values of a barrier are folded. Without bytes there are none.
struct value_folding {
  std::vector<std::byte> identity;
  fold_function fold;
};

template <class T, class Combine>
value_folding value_folding_by(const Combine& combine, const T& identity) {
  const auto bytes = std::as_bytes(std::span(&identity, 1));
  return {{bytes.begin(), bytes.end()}, folding_by<T>(combine)};
}

}  // namespace atl::events
