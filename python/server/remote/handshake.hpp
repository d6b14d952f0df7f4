#pragma once
// The proof of both sides that they know the token. The token itself is never sent.
//
// 1. The server sends 8 bytes with the version of the protocol, and 32 random bytes.
// 2. The client sends 32 random bytes, and the HMAC-SHA-256 of "client", the server's random bytes
//    and its own random bytes. The token is the key of the HMAC. 3. The server sends one byte, the
//    verdict. Unless the token is wrong, this HMAC-SHA-256 follows: of "server", the server's
//    random bytes and the client's random bytes.

#include "python/server/remote/stream.hpp"

#include <array>
#include <optional>
#include <string>

namespace atl::serve {

enum class verdict : char { welcome = 0, wrong_token = 1, busy = 2 };

/// Waits until the client has proved that it knows the token. Returns the server's own proof for
/// `send_verdict`. Returns nothing if the client has proved nothing before the deadline, or has a
/// wrong token. This function tells a client that its token is wrong.
std::optional<std::string> proof_for_client(stream& client, const std::string& token,
                                            stream::clock::time_point deadline);

/// Tells a client with the right token whether the server answers its calls.
void send_verdict(stream& client, verdict told, const std::string& proof);

}  // namespace atl::serve
