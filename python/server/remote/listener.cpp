#include "python/server/remote/listener.hpp"

#include "atoll/error.hpp"
#include "atoll/event.hpp"
#include "atoll/log.hpp"
#include "python/server/remote/handshake.hpp"
#include "python/server/remote/stream_channel.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace atl::serve {
namespace {

constexpr std::chrono::seconds k_time_for_proof{4};
/// The longest time that a new client waits for the server to become free of the previous client.
/// When a client has left, the server needs a moment to notice it and to free graphs.
constexpr std::chrono::seconds k_time_for_end{2};
/// Largest number of clients that are checked at the same time.
constexpr int k_most_newcomers = 64;

struct host_and_port {
  std::string host, port;
};

host_and_port parsed(const std::string& address) {
  const auto colon = address.rfind(':');
  host_and_port found;
  if (colon != std::string::npos) found = {address.substr(0, colon), address.substr(colon + 1)};
  if (found.host.size() > 1 && found.host.front() == '[' && found.host.back() == ']')
    found.host = found.host.substr(1, found.host.size() - 2);
  const bool is_number = !found.port.empty() && found.port.size() <= 5 &&
                         found.port.find_first_not_of("0123456789") == std::string::npos;
  if (found.host.empty() || !is_number || std::stoi(found.port) > 65535)
    fail(errc::input,
         "--listen {}: an address is HOST:PORT, such as 127.0.0.1:7000; port 0 takes a free port",
         address);
  return found;
}

bool is_loopback(const sockaddr_storage& name) {
  if (name.ss_family == AF_INET6)
    return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(name).sin6_addr);
  return ntohl(reinterpret_cast<const sockaddr_in&>(name).sin_addr.s_addr) >> 24 == 127;
}

void refuse_open_network(const listening& chosen, const sockaddr_storage& name) {
  if (is_loopback(name) || chosen.identity) return;
  if (!chosen.may_be_unencrypted)
    fail(errc::input,
         "--listen {}: other machines could read and change what clients send; add "
         "--tls-certificate and --tls-key, or listen at 127.0.0.1 and use a tunnel of ssh, or add "
         "--without-encryption if you trust the network",
         chosen.address);
  log::warning("--without-encryption: whoever can read the network can read the data of clients");
}

/// Makes a socket that listens at the address.
descriptor listening_socket(const listening& chosen) {
  const host_and_port at = parsed(chosen.address);
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  const int refusal = getaddrinfo(at.host.c_str(), at.port.c_str(), &wanted, &found);
  if (refusal != 0)
    fail(errc::input, "--listen {}: the host is unknown: {}", chosen.address,
         gai_strerror(refusal));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> all(found, freeaddrinfo);
  sockaddr_storage name{};
  std::memcpy(&name, found->ai_addr, found->ai_addrlen);
  refuse_open_network(chosen, name);
  descriptor made(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  constexpr int on = 1;
  if (made.number() < 0 ||
      setsockopt(made.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(made.number(), found->ai_addr, found->ai_addrlen) != 0 ||
      listen(made.number(), SOMAXCONN) != 0)
    fail(errc::input, "--listen {}: the server cannot listen there: {}", chosen.address,
         std::strerror(errno));
  return made;
}

/// Returns the host as clients can reach it. A server that listens on all interfaces of its machine
/// is reached by the name of the machine.
std::string reachable_host(const sockaddr_storage& name, socklen_t size) {
  const bool is_v6 = name.ss_family == AF_INET6;
  const bool is_any =
      is_v6 ? IN6_IS_ADDR_UNSPECIFIED(&reinterpret_cast<const sockaddr_in6&>(name).sin6_addr)
            : reinterpret_cast<const sockaddr_in&>(name).sin_addr.s_addr == htonl(INADDR_ANY);
  char host[NI_MAXHOST] = "";
  if (is_any && gethostname(host, sizeof host - 1) == 0) return host;
  getnameinfo(reinterpret_cast<const sockaddr*>(&name), size, host, sizeof host, nullptr, 0,
              NI_NUMERICHOST);
  return is_v6 ? "[" + std::string(host) + "]" : host;
}

}  // namespace

struct listener::door : std::enable_shared_from_this<door> {
  door(listening by, descriptor at) : chosen(std::move(by)), socket(std::move(at)) {}

  void run();
  void check(descriptor client);
  void count_newcomers(int more);
  void admit(std::unique_ptr<stream> newcomer);
  bool takes_turn();
  void give_back_turn();
  void hand_over(std::unique_ptr<stream> client);
  descriptor accepted() const;

  const listening chosen;
  const descriptor socket;
  std::mutex mutex;  // protects all members below
  std::condition_variable changed;
  bool is_free = false;  // whether the task waits for a client
  bool stops = false;
  int newcomers = 0;  // number of clients that are being checked
  std::shared_ptr<connection> arrived;
  std::optional<outside_user_event> arrival;
};

descriptor listener::door::accepted() const {
  return descriptor(accept4(socket.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

void listener::door::run() {
  while (true) {
    descriptor client = accepted();
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return stops || newcomers < k_most_newcomers; });
      if (stops) return;
    }
    if (client.number() >= 0)
      check(std::move(client));
    else  // for example, too many files are open
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

/// Checks a client in a thread of its own, so that a client that says nothing does not keep others
/// out.
void listener::door::check(descriptor client) {
  count_newcomers(1);
  auto work = [self = shared_from_this(), client = std::move(client)]() mutable {
    try {
      self->admit(std::make_unique<stream>(std::move(client)));
    } catch (const std::exception& failure) {
      log::warning("a client could not be admitted: {}", failure.what());
    }
    self->count_newcomers(-1);
  };
  try {
    std::thread(std::move(work)).detach();
  } catch (const std::system_error& failure) {
    log::warning("a client could not be admitted: {}", failure.what());
    count_newcomers(-1);
  }
}

void listener::door::count_newcomers(int more) {
  const std::lock_guard lock(mutex);
  newcomers += more;
  changed.notify_all();
}

/// Checks a newcomer, and hands it over to the task if the newcomer knows the token.
void listener::door::admit(std::unique_ptr<stream> newcomer) {
  const auto deadline = stream::clock::now() + k_time_for_proof;
  if (chosen.identity && !newcomer->encrypt(*chosen.identity, deadline)) {
    log::info("the client at {} was turned away: it has not begun TLS", newcomer->peer());
    return;
  }
  const auto proof = proof_for_client(*newcomer, chosen.token, deadline);
  if (!proof) {
    log::info("the client at {} was turned away: it has not proved that it knows the token",
              newcomer->peer());
    return;
  }
  if (!takes_turn()) return send_verdict(*newcomer, verdict::busy, *proof);
  try {
    send_verdict(*newcomer, verdict::welcome, *proof);
    log::info("the client at {} is served", newcomer->peer());
    hand_over(std::move(newcomer));
  } catch (...) {
    give_back_turn();
    throw;
  }
}

/// Waits until no other client is served. Returns whether this client may be served now.
bool listener::door::takes_turn() {
  std::unique_lock lock(mutex);
  if (!changed.wait_for(lock, k_time_for_end, [this] { return is_free; })) return false;
  is_free = false;
  return true;
}

void listener::door::give_back_turn() {
  const std::lock_guard lock(mutex);
  is_free = true;
  changed.notify_all();
}

void listener::door::hand_over(std::unique_ptr<stream> client) {
  auto over = make_stream_channel(std::move(client), chosen.memory_limit);
  std::optional<outside_user_event> awaited;
  {
    const std::lock_guard lock(mutex);
    arrived = std::make_shared<connection>(std::move(over));
    awaited.swap(arrival);
  }
  wake(*awaited);
}

listener::listener(listening chosen) {
  descriptor socket = listening_socket(chosen);
  std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to sockets that clients may have closed
  door_ = std::make_shared<door>(std::move(chosen), std::move(socket));
  thread_ = std::thread([to = door_] { to->run(); });
}

listener::~listener() {
  {
    const std::lock_guard lock(door_->mutex);
    door_->stops = true;
    door_->changed.notify_all();
  }
  static_cast<void>(shutdown(door_->socket.number(), SHUT_RDWR));
  thread_.join();
}

std::string listener::address() const {
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  if (getsockname(door_->socket.number(), reinterpret_cast<sockaddr*>(&name), &size) != 0)
    fail(errc::environment, "the port of the server is unknown: {}", std::strerror(errno));
  const auto port =
      ntohs(name.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(name).sin6_port
                                       : reinterpret_cast<const sockaddr_in&>(name).sin_port);
  return fmt::format("{}://{}:{}", door_->chosen.identity ? "tls" : "tcp",
                     reachable_host(name, size), port);
}

task<std::shared_ptr<connection>> listener::next() {
  const auto door = door_;
  const user_event arrival = make_user_event();
  {
    const std::lock_guard lock(door->mutex);
    door->arrival.emplace(arrival.outside());
    door->is_free = true;
  }
  door->changed.notify_all();
  co_await arrival;
  const std::lock_guard lock(door->mutex);
  co_return std::move(door->arrived);
}

}  // namespace atl::serve
