#pragma once
// Gives names to the atomic words and operations of the tested code. Traces and inserted faults use
// the names of words and operations.

#include "transport/litmus/execution.hpp"

#include <source_location>
#include <string>

namespace atl::litmus {

/// Gives a name to words: their kind, such as "ready", and their owner, such as "PE 1".
void name_words(const void* begin, std::size_t bytes, const std::string& owner,
                const std::string& kind);
void forget_names();

/// Returns a name such as "release: bytes.store seq_cst". The name consists of the function, the
/// kind of the word, the operation and the memory order.
std::string site_of(const operation& done, const std::source_location& from);

/// Returns a name such as "submit: payload", for an access to plain bytes.
std::string site_of_bytes(const std::source_location& from);

/// Returns a name such as "PE 1's ready", or the address of a word without a name.
std::string name_of_word(const void* at);

}  // namespace atl::litmus
