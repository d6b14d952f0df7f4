#include "atoll/job/core_claims.hpp"

#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace atl::job {
namespace {

/// A socket that has the name of this core; -1 where another process has it.
int claimed(int core) {
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  const std::string name = fmt::format("atoll-core-{}", core);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // the 0 before makes it abstract
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address), bytes) == 0) return descriptor;
  close(descriptor);
  return -1;
}

}  // namespace

core_claims::core_claims(std::span<const int> cores, int count) {
  sockets_.reserve(static_cast<std::size_t>(count));
  cores_.reserve(static_cast<std::size_t>(count));
  for (const int core : cores) {
    if (cores_.size() == static_cast<std::size_t>(count)) return;
    const int descriptor = claimed(core);
    if (descriptor < 0) continue;
    sockets_.push_back(descriptor);
    cores_.push_back(core);
  }
  if (cores_.size() < static_cast<std::size_t>(count)) release();
}

void core_claims::release() noexcept {
  for (const int descriptor : sockets_) close(descriptor);
  sockets_.clear();
  cores_.clear();
}

}  // namespace atl::job
