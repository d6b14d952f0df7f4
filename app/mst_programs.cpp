#include "app/mst_programs.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

using kernels::mst::local_method;
using kernels::mst::post_processing;
using kernels::mst::progress_test;
using words = std::vector<std::string>;

words joined(words first, const words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

words graph_words(const generator_parameters& random) {
  constexpr const char* kinds[] = {"kronecker", "uniform", "web"};
  const double edges_per_vertex =
      static_cast<double>(random.edges()) / static_cast<double>(random.vertices());
  return {"--kind",
          kinds[static_cast<std::size_t>(random.kind)],
          "--vertices",
          std::to_string(random.exact_vertices),
          "--scale",
          std::to_string(random.scale),
          "--seed",
          std::to_string(random.seed),
          "--trials",
          "1",
          "--edges-per-vertex",
          fmt::format("{}", edges_per_vertex)};
}

words parameter_words(const mst_flags& flags, std::uint64_t pes) {
  const auto& how = flags.how;
  return {"--processes",     std::to_string(pes),
          "--theta",         fmt::format("{}", how.theta),
          "--mst-threshold", fmt::format("{}", how.mst_threshold),
          "--mst-test",      how.test == progress_test::remaining ? "remaining" : "new",
          "--ring-fraction", fmt::format("{}", how.ring_fraction),
          "--local",         how.local == local_method::sorted ? "sorted" : "rounds",
          "--filter",        how.filter ? "on" : "off",
          "--filter-finish", fmt::format("{}", how.filter_finish),
          "--post",          how.post == post_processing::single ? "single" : "leader",
          "--group",         std::to_string(flags.group),
          "--chunks",        std::to_string(flags.chunks)};
}

}  // namespace

std::vector<compared_program> mst_programs(const mst_flags& flags, std::uint64_t pes) {
  const words graph = graph_words(flags.random);
  const words all = joined(graph, parameter_words(flags, pes));
  std::vector<compared_program> programs;
  programs.emplace_back("limit", joined({"atoll-limit-mst"}, graph));
  for (const std::string library : {"openmpi", "mpich"}) {
    const words command = joined({"atoll-peer-mst-" + library}, all);
    programs.emplace_back("peer:" + library, joined(command, {"--exchange", "two-sided"}));
    programs.emplace_back("peer:" + library + "_rma", joined(command, {"--exchange", "one-sided"}));
  }
  for (const std::string library : {"shmem", "openshmem"})
    programs.emplace_back("peer:" + library, joined({"atoll-peer-mst-" + library}, all));
  return programs;
}

}  // namespace atl::app
