// `atoll-papers bfs`: searches whose frontiers go through a global queue.

#include "app/command.hpp"
#include "app/kernels/bfs.hpp"
#include "reproduction/bfs/queue.hpp"

#include <memory>

namespace atl::reproduction {
namespace {

using namespace app;
using bfs::queue_form;

/// The forms as the user names them, in the order of `queue_form`.
const std::vector<std::string> k_queue_forms = {"delegates", "simple", "combining", "relaxed"};

struct queue_flags : bfs_flags {
  queue_form queue = queue_form::combining;
};

/// Each trial searches without the queue, too, before.
template <class Id>
class queue_searches : public bfs_searches<Id> {
 public:
  queue_searches(const bfs_input& input, bfs_findings& findings, queue_form form)
      : bfs_searches<Id>(input, findings), form_(form) {}

 private:
  using usual = bfs_searches<Id>;

  task<> make() override {
    co_await usual::make();
    queue_ = co_await bfs::frontier_queue<Id>::make(form_);
  }

  task<> destroy() override {
    co_await queue_.destroy();
    co_await usual::destroy();
  }

  task<bfs::search_outcome> search(std::uint64_t root, bool verify) override {
    if (without_queue_) return usual::search(root, verify);
    return search_through_queue(root, verify);
  }

  task<bfs::search_outcome> search_through_queue(std::uint64_t root, bool verify) {
    const auto run = [on = usual::on(), root, verify, queue = queue_] {
      return bfs::all_run(on, root, verify, queue);
    };
    co_return co_await from_all_pes(run);
  }

  task<measurements> trial() override {
    without_queue_ = true;
    const auto searches = co_await usual::search_all(false);
    without_queue_ = false;
    measurements measured = co_await usual::trial();
    measured.emplace_back("rate_without_queue", "edges/s", bfs::harmonic_mean_rate(searches));
    co_return measured;
  }

  queue_form form_;
  bfs::frontier_queue<Id> queue_;
  bool without_queue_ = false;
};

class queue_command : public bfs_command {
 public:
  queue_command(queue_flags& flags, const settings& options)
      : bfs_command(flags, options), form_(flags.queue) {}

 private:
  void add_parameters() override {
    bfs_command::add_parameters();
    result().parameter("queue", k_queue_forms[static_cast<std::size_t>(form_)]);
  }

  /// Vertices lie in the cells of the queue and in lists that grow.
  double copies_of_a_level() const override { return 1 + 2 + 1.5; }

  task<> compute(const graph_input& input, bool narrow) override {
    return search_by<queue_searches>(input, narrow, form_);
  }

  queue_form form_;
};

constexpr const char* k_explanation =
    "\nEvery vertex found at any level is pushed to a global queue, and the next level is what "
    "all\n"
    "PEs pop (Holt and others, \"Flat Combining Synchronized Global Data Structures\", PGAS "
    "2013).\n"
    "The search without it is timed beside it, as rate_without_queue:\n"
    "  simple     each operation travels alone to the master of the queue, and waits for it\n"
    "  combining  those of a PE travel together; each waits\n"
    "  relaxed    likewise, and pushes do not wait\n"
    "  delegates  no global queue: each operation is a delegate to PE 0, which keeps the "
    "elements\n\n"
    "  atoll-papers bfs --scale 18 --roots 1 --pes 2 --queue combining --verify";

}  // namespace

void add_bfs(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<queue_flags>();
  const auto action = [&context, flags] { return queue_command(*flags, context.settings).run(); };
  auto& command = add_command(root, context, "bfs",
                              "Searches whose frontiers go through a global queue", action);
  const auto take = [&flags = *flags](std::size_t form) {
    flags.queue = static_cast<queue_form>(form);
  };
  add_word_flag(command, "--queue", k_queue_forms, take,
                "How operations of the queue come together")
      .with_default("combining")
      .under("Searches");
  add_bfs_flags(command, context, *flags);
  add_explanation(command, k_explanation);
}

}  // namespace atl::reproduction
