#pragma once
// A TCP connection to a client, encrypted by TLS if the server has a certificate. OpenSSL does the
// encryption.

#include "python/server/memory_file.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

struct ssl_st;      // SSL of OpenSSL
struct ssl_ctx_st;  // SSL_CTX of OpenSSL

namespace atl::serve {

/// The certificate of a server and its private key.
class certificate {
 public:
  /// Reads two files in the format PEM. Throws atl::error (input) if a file cannot be read, or if
  /// the key does not belong to the certificate.
  certificate(const std::string& certificate_file, const std::string& key_file);

  ssl_ctx_st& context() const { return *context_; }

 private:
  std::shared_ptr<ssl_ctx_st> context_;
};

/// One thread may receive while another thread sends. A connection that breaks for any reason
/// counts as closed by the client.
class stream {
 public:
  using clock = std::chrono::steady_clock;
  static constexpr clock::time_point never = clock::time_point::max();

  /// Takes over a connected TCP socket.
  explicit stream(descriptor socket);

  /// Begins the encryption. Returns false if the client does not speak TLS, or not before the
  /// deadline.
  bool encrypt(const certificate& with, clock::time_point deadline);

  /// Receives exactly `bytes` bytes. Blocks the thread. Returns false if the client closes the
  /// connection, or the deadline passes, before all bytes have arrived.
  bool receive_exactly(void* into, std::size_t bytes, clock::time_point deadline = never);

  /// Sends all bytes. Blocks the thread while the socket is full. Returns false if the client has
  /// closed the connection, or has taken no byte for a minute.
  bool send(std::string_view bytes);

  /// Returns the number of bytes that were sent and that the client has not acknowledged yet.
  int unacknowledged() const;

  /// Ends all present and later calls in other threads, as if the client had closed the connection.
  void stop();

  /// Returns the address of the client, for messages.
  std::string peer() const;

 private:
  /// The outcome of one attempt that does not block. If no byte was carried, `awaited` has the
  /// events of `poll` that allow the next attempt, or is 0 if the connection has ended.
  struct attempt {
    std::size_t bytes = 0;
    short awaited = 0;
  };

  attempt try_receive(void* into, std::size_t bytes);
  attempt try_send(std::string_view bytes);
  attempt after_tls(int result) const;
  bool wait(short events, clock::time_point deadline) const;

  descriptor socket_;
  std::mutex mutex_;               // protects tls_, which one thread at a time may use
  std::shared_ptr<ssl_st> tls_{};  // null without encryption
};

}  // namespace atl::serve
