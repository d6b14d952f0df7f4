#include "app/bfs_programs.hpp"

#include <fmt/format.h>

namespace atl::app {

std::vector<compared_program> bfs_programs(const bfs_flags& flags, const report& result) {
  std::vector<compared_program> programs;
  const auto add = [&](const std::string& metric, std::vector<std::string> command) {
    command.insert(command.end(), {"--roots", std::to_string(flags.roots)});
    if (flags.common.verify) command.emplace_back("--verify");
    programs.emplace_back(metric, std::move(command));
  };
  add("limit", limit_command("atoll-limit-bfs", flags, result));
  if (!peers_take_graph(flags)) return programs;
  for (const std::string library : {"openmpi", "mpich"}) {
    for (const std::string algorithm : {"edges", "bitmaps"}) {
      auto command = peer_command("atoll-peer-bfs-" + library, flags, result);
      command.insert(command.end(), {"--algorithm", algorithm});
      add(fmt::format("peer:{}-{}", library, algorithm), std::move(command));
    }
  }
  return programs;
}

}  // namespace atl::app
