#pragma once
// A function on its way to the table that holds a key, with that key and a value.

#include "atoll/container/hash_given.hpp"
#include "atoll/container/hash_transfer.hpp"
#include "atoll/delegates.hpp"

#include <vector>

namespace atl::container {

/// Calls `function(table, key, value)`.
template <class Part, class Key, class Extra, class Function>
struct hash_errand {
  Key key;
  [[no_unique_address]] Extra extra;
  [[no_unique_address]] Function function;

  auto operator()(Part& own) const { return function(own.table, key, extra); }
  [[gnu::always_inline]] void prefetch(Part& own) const { own.table.prefetch(key); }
};

/// The same with key and value as its payload; the function may be given views of them.
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

/// Does it on PE `owner`, without waiting.
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

/// Awaitable: what `function(table, key, value)` returns on PE `owner`.
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

}  // namespace atl::container
