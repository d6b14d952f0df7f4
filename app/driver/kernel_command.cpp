#include "app/driver/kernel_command.hpp"

#include "app/driver/guarded.hpp"
#include "app/driver/memory.hpp"
#include "atoll/log.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

/// Returns the settings, without the hang detector if --compare is given. With --compare, PE 0
/// blocks inside the job until the compared program ends. While PE 0 is blocked, the other PEs are
/// idle, which the hang detector would mistake for a hang.
settings without_watch(settings options, const benchmark_flags& flags) {
  if (flags.compare) options.hang_timeout = 0;
  return options;
}

}  // namespace

kernel_command::kernel_command(const std::string& name, const benchmark_flags& flags,
                               settings options)
    : flags_(flags), options_(without_watch(std::move(options), flags)), result_(name, options_) {}

/// Throws `error` (input) if two files of the command are the same. Must be called before any file
/// is opened for writing.
void kernel_command::check_files() {
  refuse_shared_files(inputs(), {{"--output", output().path()},
                                 {"--json", flags_.json},
                                 {"--metrics", options_.metrics},
                                 {"--trace", options_.trace}});
}

int kernel_command::run() {
  check_files();
  check_before_start();
  add_parameters();
  trials_.emplace(result_, flags_, programs());
  if (const int status = run_job(options_, [this] { return main(); }); status != 0)
    throw ended{status};
  if (flags_.verify || !right()) result_.verified(right());
  describe();
  if (result_.is_answer() && !result_.wrong()) add_times();
  return publish_with_output();
}

void kernel_command::add_times() {
  const std::pair<const char*, std::string_view> steps[] = {{"read_seconds", "reading"},
                                                            {"build_seconds", "building"},
                                                            {"plan_seconds", "planning"},
                                                            {"seconds", doing()}};
  std::string text;
  for (const auto& [metric, step] : steps) {
    const auto seconds = result_.last(metric);
    if (!seconds) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", step, human_seconds(*seconds));
  }
  result_.line(fmt::format("time: {} ({} PE{})", text, pes(), pes() == 1 ? "" : "s"));
}

int kernel_command::publish_with_output() {
  const bool unwritten = output().wanted() && result_.wrong();
  if (unwritten) result_.line("the file of --output is not written: the result is wrong");
  if (result_.is_answer() && output().wanted() && !unwritten)
    result_.line("output: " + output().path());
  return publish(result_, flags_);
}

library_kernel::library_kernel(const std::string& name, graph_flags& flags, settings options)
    : kernel_command(name, flags.common, std::move(options)), graph_flags_(flags) {
  flags.random.seed = this->options().seed;
  open_input(flags);
}

void library_kernel::show(std::string_view what, double done) {
  if (what == "reading")
    trials().show(fmt::format("reading {}: {:.0f} %", graph_flags_.files.edges, 100 * done));
  else
    trials().show(fmt::format("{} the graph", what));
}

task<> library_kernel::main() {
  const auto hear = [this](std::string_view what, double done) { show(what, done); };
  graph_options wanted = building();
  wanted.wide_ids = graph_flags_.wide_ids;
  wanted.divide_hubs = may_divide_hubs();
  wanted.progress = hear;
  auto builder = co_await graph_builder::make(wanted);
  if (graph_flags_.generated())
    co_await builder.generate(graph_flags_.random);
  else
    co_await builder.read(graph_flags_.files);
  take_facts(builder, findings());
  co_await look_at(builder);
  check_memory(findings().size);
  const global_graph graph = co_await builder.build();
  co_await compute(graph);
  co_await graph.destroy();
}

}  // namespace atl::app
