#pragma once
// The forms of kernels. The command of a kernel does a step of its work in one form; a program that
// re-enacts a paper gives the command another form of that step, and all else is the same.
//
// One task calls what a form does, on PE 0; what runs on the other PEs must not refer to the form.

#include "app/command.hpp"
#include "app/driver/report.hpp"
#include "atoll/graph/distributed_graph.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace atl::kernels::mst {
struct forest_facts;
struct one_sided_memory;
struct run_outcome;
template <class Word>
struct forest_part;
}  // namespace atl::kernels::mst

namespace atl {
struct nas_class;
}

namespace atl::kernels::sort {
struct run_outcome;
template <class Key>
struct keys_of_all;
}  // namespace atl::kernels::sort

namespace atl::kernels::pagerank {
struct parameters;
struct run_outcome;
template <class Id>
struct workspace;
}  // namespace atl::kernels::pagerank

namespace atl::app {

/// What the form of any kernel says of itself.
class kernel_form {
 public:
  kernel_form() = default;
  virtual ~kernel_form() = default;
  kernel_form(const kernel_form&) = delete;
  kernel_form& operator=(const kernel_form&) = delete;

  /// Adds the flags that only this form has; what they set lives as long as the form.
  virtual void add_flags(CLI::App&) {}

  /// Puts into the result which form was measured.
  virtual void add_parameters(report& result) const = 0;

  /// The words before the command in the examples of its help, such as "atoll bench".
  virtual std::string program() const { return "atoll bench"; }

  /// What --help-all says of this form; ends a line.
  virtual std::string details() const = 0;
};

/// How keys come to their PEs.
class sort_form : public kernel_form {
 public:
  using outcome = kernels::sort::run_outcome;
  using keys32 = kernels::sort::keys_of_all<std::uint32_t>;
  using keys64 = kernels::sort::keys_of_all<std::uint64_t>;

  /// Whether keys for another node stand beside each other before they travel.
  virtual bool stages_keys() const = 0;

  /// Runs the benchmark of NAS once, or sorts keys that are not of NAS: those of a class of 0 bits.
  virtual task<outcome> run(keys32 all, const nas_class& of) const = 0;
  virtual task<outcome> run(keys64 all, const nas_class& of) const = 0;

  /// With --compare: measures, behind a sort that found `own`, what this form is measured beside in
  /// the same job. Returns what another sort of these keys found, if there was one; the keys in
  /// order are those of that one then.
  virtual task<std::optional<outcome>> compare(keys32, const nas_class&, const outcome& own,
                                               measurements&) const;
  virtual task<std::optional<outcome>> compare(keys64, const nas_class&, const outcome& own,
                                               measurements&) const;
};

/// Adds the command `sort` in that form to a program of benchmarks.
void add_sort_benchmark(CLI::App& parent, command_context& context,
                        std::shared_ptr<sort_form> form);

/// The ranks that each PE's are compared with, or nothing.
using expected_everywhere = std::optional<per_pe<std::vector<double>>>;

/// How what a vertex gives gets to others.
class rank_form : public kernel_form {
 public:
  using outcome = kernels::pagerank::run_outcome;
  using workspace32 = kernels::pagerank::workspace<std::uint32_t>;
  using workspace64 = kernels::pagerank::workspace<std::uint64_t>;

  /// Whether PEs agree on sums first, which takes memory.
  virtual bool plans_sums() const = 0;

  /// Does once what is the same in all runs on a graph.
  virtual task<workspace32> prepare(distributed_graph<std::uint32_t> graph) const = 0;
  virtual task<workspace64> prepare(distributed_graph<std::uint64_t> graph) const = 0;

  /// Runs once, and compares the ranks with those that each PE expects, if it does.
  virtual task<outcome> run(workspace32 on, const kernels::pagerank::parameters& with,
                            expected_everywhere expected) const = 0;
  virtual task<outcome> run(workspace64 on, const kernels::pagerank::parameters& with,
                            expected_everywhere expected) const = 0;
};

/// Adds the command `pagerank` in that form to a program of benchmarks.
void add_pagerank_benchmark(CLI::App& parent, command_context& context,
                            std::shared_ptr<rank_form> form);

/// How PEs find a forest together.
class forest_form : public kernel_form {
 public:
  using outcome = kernels::mst::run_outcome;
  using parts32 = per_pe<kernels::mst::forest_part<std::uint32_t>>;
  using parts64 = per_pe<kernels::mst::forest_part<std::uint64_t>>;

  /// What programs that --compare runs beside it are told of it.
  virtual std::vector<std::string> words_for_peers() const { return {}; }

  /// Finds the forest of the input of the parts once; the exchange may use the memory.
  virtual task<outcome> run(parts32 parts, const kernels::mst::forest_facts& known,
                            const kernels::mst::one_sided_memory& memory) const = 0;
  virtual task<outcome> run(parts64 parts, const kernels::mst::forest_facts& known,
                            const kernels::mst::one_sided_memory& memory) const = 0;
};

/// Adds the command `mst` in that form to a program of benchmarks.
void add_mst_benchmark(CLI::App& parent, command_context& context,
                       std::shared_ptr<forest_form> form);

}  // namespace atl::app
