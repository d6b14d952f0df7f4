#include "python/server/remote/handshake.hpp"

#include "atoll/error.hpp"

#include <cerrno>
#include <cstring>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>

namespace atl::serve {
namespace {

constexpr std::string_view k_protocol = "atoll-1\n";
constexpr std::size_t k_random_bytes = 32;
constexpr std::size_t k_proof_bytes = 32;  // those of SHA-256

std::string random_text() {
  std::string made(k_random_bytes, '\0');
  if (getrandom(made.data(), made.size(), 0) != static_cast<ssize_t>(made.size()))
    fail(errc::environment, "the system has no random bytes: {}", std::strerror(errno));
  return made;
}

std::string proof(const std::string& token, const std::string& of) {
  std::string made(k_proof_bytes, '\0');
  unsigned bytes = 0;
  if (HMAC(EVP_sha256(), token.data(), static_cast<int>(token.size()),
           reinterpret_cast<const unsigned char*>(of.data()), of.size(),
           reinterpret_cast<unsigned char*>(made.data()), &bytes) == nullptr)
    fail(errc::environment, "OpenSSL has no HMAC-SHA-256");
  return made;
}

}  // namespace

std::optional<std::string> proof_for_client(stream& client, const std::string& token,
                                            stream::clock::time_point deadline) {
  const std::string ours = random_text();
  std::string theirs(k_random_bytes, '\0'), given(k_proof_bytes, '\0');
  if (!client.send(std::string(k_protocol) + ours) ||
      !client.receive_exactly(theirs.data(), theirs.size(), deadline) ||
      !client.receive_exactly(given.data(), given.size(), deadline))
    return std::nullopt;
  const std::string right = proof(token, "client" + ours + theirs);
  if (CRYPTO_memcmp(right.data(), given.data(), right.size()) != 0) {
    send_verdict(client, verdict::wrong_token, "");
    return std::nullopt;
  }
  return proof(token, "server" + ours + theirs);
}

void send_verdict(stream& client, verdict told, const std::string& proof) {
  // A client that has gone is noticed when its first message is awaited.
  static_cast<void>(client.send(static_cast<char>(told) + proof));
}

}  // namespace atl::serve
