#include "app/sort_job.hpp"

#include "app/graph_input.hpp"
#include "app/job_result.hpp"
#include "app/sort_compared.hpp"
#include "app/sort_input.hpp"
#include "app/sort_memory.hpp"
#include "app/sort_writing.hpp"

namespace atl::app {
namespace {

namespace sort = kernels::sort;

/// Sorting keys that are known, in 32 bits or in 64.
template <class Key>
class sort_trials {
 public:
  sort_trials(const key_source& input, const sort_flags& flags, trial_series& trials,
              sort_output& output, sort_findings& findings)
      : input_(input), flags_(flags), trials_(trials), output_(output), findings_(findings) {}

  /// Does everything. Once.
  task<> run() {
    all_ = co_await sort::keys_of_all<Key>::make(input_.keys);
    trials_.show("making the keys");
    const auto take = [all = all_, input = input_]() -> task<> {
      co_await input.take(all.parts.local());
    };
    co_await on_all_pes(take);
    while (trials_.begin()) trials_.end(co_await trial());
    const auto add_peaks = []() -> task<std::uint64_t> {
      co_return co_await all_reduce(peak_of_own_process(), std::plus<>());
    };
    findings_.bytes_peak = co_await from_all_pes(add_peaks);
    if (flags_.common.verify) co_await verify();
    if (output_.wanted() && findings_.right()) co_await write_keys(all_, input_.keys, output_);
    co_await all_.destroy();
  }

 private:
  task<measurements> trial() {
    const auto outcome = co_await measure(flags_.exchange);
    if (!trials_.warming_up()) findings_.trials.push_back(outcome);
    measurements measured;
    measured.emplace_back("rate", "keys/s", outcome.rate());
    measured.emplace_back("seconds", "s", outcome.seconds);
    if (input_.of_nas()) measured.emplace_back("rate_sorted", "keys/s", outcome.rate_sorted());
    if (flags_.common.compare && !trials_.warming_up()) co_await compare(measured, outcome);
    co_return measured;
  }

  task<sort::run_outcome> measure(sort::exchange how) {
    const auto run = [all = all_, nas = input_.nas, how]() -> task<sort::run_outcome> {
      if (nas.bits != 0) co_return co_await sort::all_run_nas(all, how, nas);
      co_return co_await sort::all_run(all, how);
    };
    co_return co_await from_all_pes(run);
  }

  /// The other exchange, or random updates, in the same job.
  task<> compare(measurements& measured, const sort::run_outcome& outcome) {
    if (flags_.exchange == sort::exchange::collective) {
      if (flags_.common.verify) co_await verify();  // before others take the place of these keys
      findings_.by_delegates = co_await measure(sort::exchange::delegates);
      add_delegates(measured, outcome, *findings_.by_delegates);
    } else {
      add_updates(measured, outcome, co_await rate_of_updates(input_.keys));
    }
  }

  /// What has been found wrong stays so.
  task<> verify() {
    if (findings_.check && !findings_.check->right()) co_return;
    trials_.show("verifying");
    const auto check = [all = all_, input = input_,
                        path = &flags_.file]() -> task<sort::sort_check> {
      const sort::key_part<Key>& mine = all.parts.local();
      const std::span<const Key> sorted(mine.sorted.data(), mine.size());
      co_return co_await sort::all_check(sorted, co_await input.account(path));
    };
    findings_.check = co_await from_all_pes(check);
  }

  const key_source& input_;
  const sort_flags& flags_;
  trial_series& trials_;
  sort_output& output_;
  sort_findings& findings_;
  sort::keys_of_all<Key> all_;
};

class sort_job {
 public:
  sort_job(const sort_flags& flags, const settings& options, trial_series& trials,
           sort_output& output)
      : flags_(flags), options_(options), trials_(trials), output_(output) {}

  task<sort_findings> main() {
    const key_source input = co_await find_source();
    findings_.keys = input.keys;
    findings_.bits = input.bits;
    const auto held = input.of_file ? input.keys * sizeof(std::uint64_t) : 0;
    check_memory(flags_, options_, input.keys, input.bits, static_cast<std::uint64_t>(pes()), held);
    if (input.bits <= 32) {
      co_await run<std::uint32_t>(input);
    } else {
      co_await run<std::uint64_t>(input);
    }
    co_return std::move(findings_);
  }

 private:
  task<key_source> find_source() {
    key_source input;
    input.read = co_await per_pe<read_part>::make();
    input.of_file = flags_.of_file();
    input.seed = flags_.seed;
    if (input.of_file) {
      const auto start = now();
      const size_of_keys size = co_await read_file(input.read, flags_.file, trials_);
      findings_.read_seconds = seconds_since(start);
      input.keys = size.keys;
      input.bits = size.bits();
    } else if (flags_.random()) {
      input.keys = flags_.keys;
      input.bits = static_cast<unsigned>(flags_.bits);
    } else {
      input.nas = *flags_.nas;
      input.keys = input.nas.keys();
      input.bits = input.nas.bits;
    }
    co_return input;
  }

  template <class Key>
  task<> run(const key_source& input) {
    sort_trials<Key> all(input, flags_, trials_, output_, findings_);
    co_await all.run();
  }

  const sort_flags& flags_;
  const settings& options_;
  trial_series& trials_;
  sort_output& output_;
  sort_findings findings_;
};

}  // namespace

sort_findings sort_keys(const sort_flags& flags, const settings& options, trial_series& trials,
                        sort_output& output) {
  sort_job job(flags, options, trials, output);
  return result_of_job(options, [&] { return job.main(); });
}

}  // namespace atl::app
