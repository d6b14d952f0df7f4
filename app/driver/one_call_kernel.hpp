#pragma once
// Defines the command of a kernel that is one call of the library on a graph. Each trial makes the
// call of the library once. A subclass defines the call, the memory that the call needs, and the
// facts to show.

#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace atl::app {

/// The constants of a command whose kernel is a single call of the library.
struct one_call_names {
  const char* command;  ///< "cores"
  const char* doing;    ///< the step that the metric `seconds` measures, such as "peeling"
  const char* needs;    ///< first words of an error about memory, such as "finding the cores of"
  const char* checks;   ///< the step that --verify performs, such as "peeling on one PE"
  const char* limit;    ///< the program that --compare runs
};

template <class Flags, class Result, class Findings>
class one_call_kernel : public library_kernel {
 public:
  /// Opens the input. `flags` must outlive the command.
  one_call_kernel(const one_call_names& names, Flags& flags, const settings& options)
      : library_kernel(names.command, flags, options),
        names_(names),
        flags_(flags),
        output_(flags) {}

 protected:
  /// Calls the kernel. The result has a member `seconds`.
  virtual task<Result> call(global_graph graph) = 0;

  /// Stores the facts about the last result in `found()`.
  virtual task<> take(global_graph graph, const Result& last) = 0;

  /// Returns the peak memory in bytes of all PEs together.
  virtual double bytes_needed(const load_demand& demand) const = 0;

  /// Returns the number of edges that the call processes; the rate is computed from this number.
  virtual double edges_of_call(global_graph graph, const Result&) const {
    return static_cast<double>(graph.edges());
  }

  /// Adds the flags of the call to the command line of the limit program, a plain program with the
  /// same memory work as the kernel.
  virtual void add_limit_flags(std::vector<std::string>&) const {}

  /// Returns whether the call uses each edge in both directions.
  virtual bool counts_both_ways() const { return true; }

  const Flags& flags() const { return flags_; }
  Findings& found() { return found_; }

  void check_before_start() override {
    check_graph_flags(flags_);
    if (flags_.generated())
      check_memory({flags_.random.vertices(), flags_.random.edges()});
    else
      check_memory_to_load(flags_, options(), counts_both_ways(), pes(), flags_.common.verify);
  }

  std::vector<compared_program> programs() override {
    if (!limit_takes_graph(flags_) || !counts_both_ways()) {
      if (flags_.common.compare)
        result().line("limit is left out: it takes undirected Kronecker graphs and .el files");
      return {};
    }
    auto command = limit_command(names_.limit, flags_, result());
    add_limit_flags(command);
    if (flags_.common.verify) command.emplace_back("--verify");
    return {{"limit", command}};
  }

  const result_output& output() const override { return output_; }
  graph_findings& findings() override { return found_; }
  std::string_view doing() const override { return names_.doing; }
  bool may_divide_hubs() const override { return false; }

  void check_memory(graph_size size) override {
    const load_demand demand =
        demand_to_load(flags_, size, counts_both_ways(), pes(), flags_.common.verify);
    check_memory_for(
        flags_, options(),
        {names_.needs, size, pes(), bytes_needed(demand), bytes_of_graph(demand).stored});
  }

  task<> look_at(graph_builder& read) override {
    if (!counts_both_ways() && read.notes().undirected)
      fail(errc::input, "--directed: the edges of {} have no direction", flags_.files.edges);
    output_.check_names(read.names(), flags_.files.names.empty());
    co_return;
  }

  task<> compute(global_graph graph) override {
    bool first = true;
    while (trials().begin()) {
      if (!first) co_await last_.destroy();
      first = false;
      trials().end(co_await trial(graph));
    }
    co_await gather_facts(graph, found_);
    co_await take(graph, last_);
    co_await write(last_);
    co_await last_.destroy();
  }

 private:
  task<measurements> trial(global_graph graph) {
    last_ = co_await call(graph);
    if (flags_.common.verify && right() && !trials().warming_up()) {
      trials().show(names_.checks);
      const auto check = [graph, last = last_](site where) { return verify(graph, last, where); };
      co_await keep_fault(check, found_);
    }
    measurements measured;
    measured.emplace_back("rate", "edges/s", edges_of_call(graph, last_) / last_.seconds);
    measured.emplace_back("seconds", "s", last_.seconds);
    co_return measured;
  }

  one_call_names names_;
  const Flags& flags_;
  vertex_output output_;
  Findings found_;
  Result last_;  // result of the last trial
};

}  // namespace atl::app
