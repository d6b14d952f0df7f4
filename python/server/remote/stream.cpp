#include "python/server/remote/stream.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <cerrno>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace atl::serve {
namespace {

/// Returns the reason of the latest failure of OpenSSL.
std::string reason_of_openssl() {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  return reason != nullptr ? reason : "unknown reason";
}

/// A key that needs a password is refused. Without this function, OpenSSL would ask for the
/// password of the key in the terminal.
int no_password(char*, int, int, void*) { return -1; }

/// Makes the system notice within about two minutes that the client's machine has vanished.
void watch_for_vanished_client(int socket) {
  constexpr int on = 1, idle_seconds = 30, seconds_between = 10, probes = 6;
  // A failure of `setsockopt` is harmless: without the option, the socket works, but notices a
  // vanished client later.
  static_cast<void>(setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on));
  static_cast<void>(
      setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle_seconds, sizeof idle_seconds));
  static_cast<void>(
      setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &seconds_between, sizeof seconds_between));
  static_cast<void>(setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes));
  static_cast<void>(setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
}

}  // namespace

certificate::certificate(const std::string& certificate_file, const std::string& key_file)
    : context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
  if (!context_) fail(errc::environment, "TLS cannot be used: {}", reason_of_openssl());
  SSL_CTX* const context = context_.get();
  SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
  // The server sends no session tickets: a client takes any byte between its calls for the end of
  // the connection.
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_default_passwd_cb(context, no_password);
  if (SSL_CTX_use_certificate_chain_file(context, certificate_file.c_str()) != 1)
    fail(errc::input, "--tls-certificate {}: the certificate cannot be read: {}", certificate_file,
         reason_of_openssl());
  if (SSL_CTX_use_PrivateKey_file(context, key_file.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context) != 1)
    fail(errc::input, "--tls-key {}: the key cannot be read, or is not that of the certificate: {}",
         key_file, reason_of_openssl());
}

stream::stream(descriptor socket) : socket_(std::move(socket)) {
  watch_for_vanished_client(socket_.number());
}

bool stream::wait(short events, clock::time_point deadline) const {
  using std::chrono::milliseconds;
  constexpr milliseconds longest{60'000};
  while (true) {
    const auto now = clock::now();
    if (now >= deadline) return false;
    const auto left = std::chrono::ceil<milliseconds>(deadline - now);
    pollfd watched{socket_.number(), events, 0};
    const int found = poll(&watched, 1, static_cast<int>(std::min(left, longest).count()));
    if (found > 0 || (found < 0 && errno != EINTR)) return found > 0;
  }
}

stream::attempt stream::after_tls(int result) const {
  switch (SSL_get_error(tls_.get(), result)) {
  case SSL_ERROR_WANT_READ:
    return {0, POLLIN};
  case SSL_ERROR_WANT_WRITE:
    return {0, POLLOUT};
  default:
    return {};
  }
}

bool stream::encrypt(const certificate& with, clock::time_point deadline) {
  tls_ = {SSL_new(&with.context()), SSL_free};
  if (!tls_ || SSL_set_fd(tls_.get(), socket_.number()) != 1) return false;
  while (true) {
    ERR_clear_error();
    const int result = SSL_accept(tls_.get());
    if (result == 1) return true;
    const short awaited = after_tls(result).awaited;
    if (awaited == 0 || !wait(awaited, deadline)) return false;
  }
}

stream::attempt stream::try_receive(void* into, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  attempt made;
  if (tls_) {
    ERR_clear_error();
    const int result = SSL_read_ex(tls_.get(), into, bytes, &made.bytes);
    return result == 1 ? made : after_tls(result);
  }
  const auto got = recv(socket_.number(), into, bytes, MSG_DONTWAIT);
  if (got > 0) made.bytes = static_cast<std::size_t>(got);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) made.awaited = POLLIN;
  return made;
}

stream::attempt stream::try_send(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  attempt made;
  if (tls_) {
    ERR_clear_error();
    const int result = SSL_write_ex(tls_.get(), bytes.data(), bytes.size(), &made.bytes);
    return result == 1 ? made : after_tls(result);
  }
  const auto done =
      ::send(socket_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (done > 0) made.bytes = static_cast<std::size_t>(done);
  if (done < 0 && (errno == EAGAIN || errno == EINTR)) made.awaited = POLLOUT;
  return made;
}

bool stream::receive_exactly(void* into, std::size_t bytes, clock::time_point deadline) {
  auto* next = static_cast<char*>(into);
  while (bytes > 0) {
    const attempt made = try_receive(next, bytes);
    next += made.bytes;
    bytes -= made.bytes;
    if (made.bytes > 0) continue;
    if (made.awaited == 0 || !wait(made.awaited, deadline)) return false;
  }
  return true;
}

bool stream::send(std::string_view bytes) {
  constexpr std::chrono::seconds most_without_progress{60};
  while (!bytes.empty()) {
    const attempt made = try_send(bytes);
    bytes.remove_prefix(made.bytes);
    if (made.bytes > 0) continue;
    if (made.awaited == 0 || !wait(made.awaited, clock::now() + most_without_progress)) {
      stop();
      return false;
    }
  }
  return true;
}

int stream::unacknowledged() const {
  int bytes = 0;
  return ioctl(socket_.number(), SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

void stream::stop() {
  // `shutdown` fails only if the client has gone already, and then all calls in other threads end
  // anyway.
  static_cast<void>(shutdown(socket_.number(), SHUT_RDWR));
}

std::string stream::peer() const {
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  char host[NI_MAXHOST] = "", port[NI_MAXSERV] = "";
  auto* const address = reinterpret_cast<sockaddr*>(&name);
  if (getpeername(socket_.number(), address, &size) != 0 ||
      getnameinfo(address, size, host, sizeof host, port, sizeof port,
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "unknown address";
  return std::string(host) + " port " + port;
}

}  // namespace atl::serve
