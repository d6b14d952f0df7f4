#include "app/sort_programs.hpp"

namespace atl::app {

std::vector<compared_program> sort_programs(const sort_flags& flags, const report& result) {
  const auto with = [&](const std::string& program, const char* count, std::uint64_t cores) {
    std::vector<std::string> command = {program, "--class", std::string(1, flags.nas->name), count,
                                        std::to_string(cores)};
    if (flags.common.verify) command.emplace_back("--verify");
    return command;
  };
  std::vector<compared_program> programs;
  programs.emplace_back("limit", with("atoll-limit-sort", "--threads", result.busy_cores()));
  for (const std::string library : {"openmpi", "mpich"})
    programs.emplace_back("peer:" + library,
                          with("atoll-peer-sort-" + library, "--processes", result.pes()));
  return programs;
}

}  // namespace atl::app
