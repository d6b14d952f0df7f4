#include "app/uts_flags.hpp"

#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/settings.hpp"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace atl::app {
namespace {

namespace uts = kernels::uts;

uts::tree_parameters checked_tree(const std::string& name) {
  const auto* const found = uts::find_tree(name);
  if (found != nullptr) return *found;
  std::vector<std::string> known;
  for (const auto& tree : uts::published_trees) known.emplace_back(tree.name);
  const std::string nearest = nearest_name(name, known);
  fail(errc::input, "--tree: there is no tree \"{}\", {}", name,
       nearest.empty() ? "see --help" : fmt::format("did you mean {}?", nearest));
}

}  // namespace

void add_tree_flag(CLI::App& command, uts::tree_parameters& tree) {
  const auto take = [&tree](const std::string& name) { tree = checked_tree(name); };
  add_checked_flag(command, "--tree", "T1|T2|T3|T4|T5|T1L|T2L|T3L", take,
                   "One of the published trees (default T1)");
}

}  // namespace atl::app
