#include "atoll/job/mpi/rank_card.hpp"

#include "atoll/base/modules.hpp"
#include "atoll/random.hpp"

#include <algorithm>
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

std::uint64_t hash_of_program() {
  const std::string content = content_of("/proc/self/exe");
  return content.empty() ? 0 : hash_of(content);
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

// The watch over hangs looks at the other processes, so they must be those that are seen here.
rank_card own_card() {
  rank_card card{};
  const std::string boot = content_of("/proc/sys/kernel/random/boot_id");
  card.program = hash_of_program();
  card.build = hash_of_program_build();
  card.machine = hash_of(boot.empty() ? host_name() : boot);
  card.host =
      hash_of(host_name() + boot + link_target("/proc/self/ns/pid") + std::to_string(getuid()));
  copy_to(card.host_name, host_name());
  copy_to(card.program_name, link_target("/proc/self/exe"));
  return card;
}

bool is_same_program(const rank_card& a, const rank_card& b) {
  if (a.program != 0 && b.program != 0) return a.program == b.program;
  return a.build == b.build;
}

std::vector<std::uint64_t> hashes_of(const settings& settings) {
  std::vector<std::uint64_t> hashes;
  for (const auto& row : settings_table()) hashes.push_back(hash_of(settings.value(row.name)));
  return hashes;
}

}  // namespace atl::job
