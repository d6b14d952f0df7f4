#include "app/pagerank_programs.hpp"

#include <fmt/format.h>

namespace atl::app {

std::vector<compared_program> pagerank_programs(const pagerank_flags& flags, const report& result) {
  std::vector<compared_program> programs;
  const auto add = [&](const std::string& metric, std::vector<std::string> command) {
    command.insert(command.end(), {"--damping", fmt::format("{}", flags.with.damping),
                                   "--tolerance", fmt::format("{}", flags.with.tolerance),
                                   "--max-iterations", std::to_string(flags.with.max_iterations)});
    if (flags.common.verify) command.emplace_back("--verify");
    programs.emplace_back(metric, std::move(command));
  };
  add("limit", limit_command("atoll-limit-pagerank", flags, result));
  if (!peers_take_graph(flags)) return programs;
  for (const std::string library : {"openmpi", "mpich", "tpetra"})
    add("peer:" + library, peer_command("atoll-peer-pagerank-" + library, flags, result));
  return programs;
}

}  // namespace atl::app
