// `atoll uts`

#include "app/benchmark.hpp"
#include "app/job_result.hpp"
#include "atoll/base/error.hpp"
#include "atoll/base/log.hpp"
#include "kernels/uts.hpp"

#include <fmt/format.h>
#include <memory>
#include <optional>

namespace atoll::app {
namespace {

namespace uts = kernels::uts;

struct flags_of_uts {
  benchmark_flags common;
  uts::parameters chosen{.tree = *uts::find_tree("T1")};
};

uts::tree_parameters checked_tree(const std::string& name) {
  const auto* const found = uts::find_tree(name);
  if (found != nullptr) return *found;
  std::vector<std::string> known;
  for (const auto& tree : uts::published_trees) known.emplace_back(tree.name);
  const std::string nearest = nearest_name(name, known);
  fail(errc::input, "--tree: there is no tree \"{}\", {}", name,
       nearest.empty() ? "see atoll uts --help" : fmt::format("did you mean {}?", nearest));
}

uts::join_at checked_join(const std::string& text) {
  if (text == "whole") return uts::join_at::whole;
  if (text == "vertex") return uts::join_at::vertex;
  fail(errc::input, "--join: \"{}\" is neither vertex nor whole", text);
}

class uts_benchmark {
 public:
  uts_benchmark(const flags_of_uts& flags, settings options)
      : flags_(flags), options_(std::move(options)) {}

  int run() {
    report result("uts", options_);
    result.parameter("tree", flags_.chosen.tree.name);
    result.parameter("join", flags_.chosen.join == uts::join_at::whole ? "whole" : "vertex");
    run_trials(result, flags_.common, [this] { return trial(); }, programs(result));
    add_checks(result);
    return publish(result, flags_.common);
  }

 private:
  measurements trial() {
    const auto outcome = result_of_job(options_, [this] { return uts::measure(flags_.chosen); });
    if (!last_ || right()) last_ = outcome;
    return {{"rate", "nodes/s", outcome.rate()},
            {"seconds", "s", outcome.seconds},
            {"traversals", "", static_cast<double>(outcome.traversals)}};
  }

  // The same tree on as many cores, each for itself.
  std::vector<compared_program> programs(const report& result) const {
    return {{"limit",
             {"atoll-limit-uts", "--tree", std::string(flags_.chosen.tree.name), "--processes",
              std::to_string(result.busy_cores())}}};
  }

  std::string complaint() const { return last_->complaint(flags_.chosen.tree.published); }
  bool right() const { return complaint().empty(); }

  // Counting costs nothing, so a wrong count is never passed over.
  void add_checks(report& result) const {
    result.section("nodes") = last_->found.nodes;
    result.section("leaves") = last_->found.leaves;
    result.section("depth") = last_->found.depth;
    result.line(fmt::format("{} nodes, {} leaves, depth {}", last_->found.nodes,
                            last_->found.leaves, last_->found.depth));
    if (flags_.common.verify || !right()) result.verified(right());
    if (!right()) log::write(log_level::error, "wrong result: " + complaint());
  }

  const flags_of_uts& flags_;
  settings options_;
  std::optional<uts::outcome> last_;  // of the trials so far, or the first wrong one
};

void add_tree_flags(CLI::App& command, uts::parameters& chosen) {
  const auto take_tree = [&chosen](const std::string& name) { chosen.tree = checked_tree(name); };
  command
      .add_option_function<std::string>("--tree", take_tree,
                                        "One of the published trees (default T1)")
      ->type_name("T1|T2|T3|T4|T5|T1L|T2L|T3L");
  const auto take_join = [&chosen](const std::string& text) { chosen.join = checked_join(text); };
  command
      .add_option_function<std::string>(
          "--join", take_join,
          "Every task waits for those it put out, or one for all (default whole)")
      ->type_name("vertex|whole");
}

constexpr const char* k_explanation = "\nCounts the vertices of a tree that shows itself only "
                                      "while it is searched: SHA-1 of a vertex\n"
                                      "and a number gives its child of that number. Idle PEs take "
                                      "work of others. The rate is that of\n"
                                      "all PEs, of as many traversals as fill a second. --verify "
                                      "compares the numbers of vertices and\n"
                                      "leaves and the depth with those published.\n"
                                      "--compare runs the limit between the trials: the plain "
                                      "serial traversal of the same tree, with\n"
                                      "the same SHA-1, on every core.\n\n"
                                      "  atoll uts --tree T1L --pes 2 --verify --compare";

}  // namespace

void add_uts(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<flags_of_uts>();
  auto& command =
      add_command(root, context, "uts", "Unbalanced tree search over all PEs",
                  [&context, flags] { return uts_benchmark(*flags, context.settings).run(); });
  add_tree_flags(command, flags->chosen);
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  command.footer(k_explanation);
}

}  // namespace atoll::app
