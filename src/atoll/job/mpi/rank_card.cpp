#include "atoll/job/mpi/rank_card.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/process_limits.hpp"
#include "atoll/base/random.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace atl::job {
namespace {

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t result = hash(text.size());
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(8, text.size()))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), std::min<std::size_t>(8, text.size()));
    result = hash(result ^ word);
  }
  return result;
}

std::string content_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string own_program() {
  errno = 0;
  const std::string content = content_of("/proc/self/exe");
  if (content.empty())
    fail(errc::environment, "the program cannot be compared with that of the other ranks: {}",
         refusal_text(errno, refused::file));
  return content;
}

std::string link_target(const char* path) {
  std::error_code none;
  return std::filesystem::read_symlink(path, none).string();
}

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

template <std::size_t N>
void copy_to(std::array<char, N>& to, const std::string& text) {
  text.copy(to.data(), N - 1);
}

}  // namespace

// Memory of another process is reached through /proc, so its processes must be those seen there.
rank_card own_card() {
  rank_card card{};
  card.program = hash_of(own_program());
  card.host = hash_of(host_name() + content_of("/proc/sys/kernel/random/boot_id") +
                      link_target("/proc/self/ns/pid") + std::to_string(getuid()));
  copy_to(card.host_name, host_name());
  copy_to(card.program_name, link_target("/proc/self/exe"));
  return card;
}

std::vector<std::uint64_t> hashes_of(const settings& settings) {
  std::vector<std::uint64_t> hashes;
  for (const auto& row : settings_table()) hashes.push_back(hash_of(settings.value(row.name)));
  return hashes;
}

}  // namespace atl::job
