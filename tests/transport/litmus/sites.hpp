#pragma once
// The names of words and operations in traces and mutations.

#include "transport/litmus/execution.hpp"

#include <source_location>
#include <string>

namespace atl::litmus {

/// Names words of a kind, such as "ready", and their owner, such as "PE 1".
void name_words(const void* begin, std::size_t bytes, const std::string& owner,
                const std::string& kind);
void forget_names();

/// Returns a name such as "release: bytes.store seq_cst": the function, the kind of word, operation
/// and order.
std::string site_of(const operation& done, const std::source_location& from);

/// Returns a name such as "submit: payload", for plain bytes.
std::string site_of_bytes(const std::source_location& from);

/// Returns a name such as "PE 1's ready", or the address.
std::string name_of_word(const void* at);

}  // namespace atl::litmus
