// This file starts and ends a job: it constructs the parts of each PE, runs the main task, and
// returns the exit status.

#include "atoll/run.hpp"

#include "atoll/base/memory_account.hpp"
#include "atoll/base/modules.hpp"
#include "atoll/base/variables.hpp"
#include "atoll/error.hpp"
#include "atoll/job/bootstrap.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"
#include "atoll/memory/answers.hpp"
#include "atoll/memory/two_sided_state.hpp"
#include "atoll/observe/counters.hpp"
#include "atoll/observe/recorder.hpp"
#include "atoll/observe/trace.hpp"
#include "atoll/one_sided.hpp"
#include "atoll/settings.hpp"
#include "atoll/task/stall_detector.hpp"
#include "atoll/transport/site_word.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <optional>

namespace atl::memory {

/// Shared memory with the trace and the status of all PEs, which outlives the PEs. PE 0 writes the
/// trace file from the shared memory, and the command `atoll top` reads the status. PE 0 makes the
/// memory before the other PEs start. PEs that were started by a launcher (such as mpirun) cannot
/// share memory, so their `observed_job` is empty.
class observed_job {
 public:
  /// Throws atl::error (environment) if the shared memory cannot be made, or if the files of the
  /// trace or the metrics cannot be written. Throws atl::error (input) if a trace is requested and
  /// a launcher starts the PEs.
  observed_job(const settings& options, bool is_shared);

  /// Writes the trace file if `end` was not called.
  ~observed_job();
  observed_job(const observed_job&) = delete;
  observed_job& operator=(const observed_job&) = delete;

  /// Makes `recorder` write the trace and status of PE `pe` into the shared memory. Each PE calls
  /// this function at its start.
  void attach(observe::recorder& recorder, int pe);

  /// Writes the trace file. PE 0 calls this function when all PEs have ended. If `ended_early` is
  /// true, a message says that the trace is incomplete. Throws atl::error (environment).
  void end(bool ended_early);

 private:
  const settings& options_;
  std::optional<observe::trace_rings> rings_;
  std::optional<observe::status_board> board_;
};

observed_job::observed_job(const settings& options, bool is_shared) : options_(options) {
  const auto launched = job::present_launch();
  if (!launched || launched->rank == 0) observe::check_metrics_file(options.metrics);
  if (!is_shared || job::chosen_transport(options) == transport_kind::mpi) {
    if (options.trace.empty()) return;
    fail(errc::input, "--trace {}: jobs whose PEs a launcher starts have no trace yet",
         options.trace);
  }
  const int pes = job::number_of_pes(options);
  if (observe::counts) board_.emplace(pes, options.transport == transport_kind::sim);
  if (options.trace.empty()) return;
  observe::begin_trace_file(options.trace);
  rings_.emplace(pes, options.trace_size);
}

observed_job::~observed_job() {
  try {
    end(true);
  } catch (const error& refusal) {
    log::error("{}", refusal.what());
  }
}

void observed_job::attach(observe::recorder& recorder, int pe) {
  if (board_) recorder.status = observe::status_writer(board_->slot(pe));
  if (rings_) recorder.trace = rings_->of(pe);
}

void observed_job::end(bool ended_early) {
  if (!rings_) return;
  std::uint64_t dropped = 0;
  for (int pe = 0; pe < rings_->pes(); ++pe) dropped += rings_->of(pe).dropped();
  observe::write_trace_file(options_.trace, *rings_, ended_early, transport::site_of_word);
  rings_.reset();
  if (ended_early)
    fmt::print(stderr, "atoll: the trace in {} ends where the job did, early\n", options_.trace);
  if (dropped != 0)
    log::warning("--trace {}: the {} oldest events had no room in it (--trace-size)",
                 options_.trace, dropped);
}

}  // namespace atl::memory

namespace atl {

/// The properties of a job. Each PE has a copy of the object, but only PE 0 stores the results of
/// the job in its copy.
struct running_job {
  const main_function& main;
  site where;
  std::uint32_t number;  ///< number of the job in this process
  bool spmd = false;
  std::exception_ptr failure = nullptr;
  site failed_task{};
  std::vector<observe::counters> counters{};
  log_histogram latencies{};
};

namespace {

constexpr int k_asked_at_a_time = 32;

/// Returns true if the PEs are simulated. All simulated PEs share one thread, so the thread's
/// processor time cannot show that a task of one PE stalls.
bool simulated(const settings& options) { return options.transport == transport_kind::sim; }

/// Returns the settings of the job, which are the settings of PE 0. If PE 0 is in another process,
/// the process of PE 0 has sent the settings.
const settings& of_job(const transport::endpoint& transport, const settings& own) {
  return transport.job_settings() != nullptr ? *transport.job_settings() : own;
}

/// Returns the number of the next job of this process. The names of events contain the number of
/// the job, so the runtime recognises a name from an earlier job.
std::uint32_t next_job() {
  static std::atomic<std::uint32_t> begun{0};
  return ++begun;
}

/// Returns the number of this job, which is the same on all PEs. If a launcher has started the PEs,
/// each rank uses the number of jobs that rank 0 has begun.
std::uint32_t number_of_job(running_job& running, const transport::endpoint& transport) {
  // number of jobs that have begun; equal on all ranks, because a refused job begins on no rank
  static std::uint32_t of_ranks = 0;
  const bool among_ranks = transport.job_settings() != nullptr && transport.size() > 1;
  return among_ranks ? ++of_ranks : running.number;
}

/// Makes the memory account of a PE. Without the setting memory-limit, the account limits only the
/// memory for tasks and messages. If memory-limit is not set, all PEs have equal limits, which
/// together are 7/8 of the free memory. The remaining eighth of the free memory is for memory that
/// is charged to no account.
memory_account account_of(const settings& options, const transport::endpoint& transport,
                          const memory_status& memory) {
  const std::uint64_t limit = options.memory_limit;
  const int pes = transport.size();
  if (limit == 0) {
    const auto machines = static_cast<std::uint64_t>(transport.machines());
    const std::uint64_t of_all = memory.free() / 8 * 7 * machines;
    return memory_account::of_work_alone(of_all / static_cast<std::uint64_t>(pes));
  }
  if (options.origin("memory-limit") != "machine") return {limit, pes};
  return {limit, pes, memory_account::least_work_within(limit, pes)};
}

/// All parts of one PE. The constructor makes the parts of the PE in order, beginning with the
/// lowest layer.
class assembled_pe {
 public:
  assembled_pe(transport::endpoint& transport, const settings& options, running_job& running,
               memory::observed_job& observed)
      : memory_found_(read_memory_status()),
        account_(account_of(options, transport, memory_found_)),
        self_{.rank = transport.rank(),
              .size = transport.size(),
              .job = number_of_job(running, transport),
              .options = &options,
              .modules = &modules_,
              .account = &account_,
              .recorder = &recorder_,
              .counters = &recorder_.counted,
              .transport = &transport,
              .running = &running},
        messages_(self_, options),
        tasks_(with_messages(), options.workers),
        heap_(self_, options, memory_found_),
        collectives_(memory::place_in_tree(self_.rank, messages_.nodes())),
        two_sided_(self_),
        current_(with_all()),
        stalls_(self_, simulated(options) ? 0 : options.stall_time) {
    observed.attach(recorder_, self_.rank);
  }
  assembled_pe(const assembled_pe&) = delete;
  assembled_pe& operator=(const assembled_pe&) = delete;

  void start(task<> (*main)(running_job&)) {
    tasks::spawn_in(
        messages_.enclosing(), [main, running = self_.running] { return main(*running); },
        self_.running->where);
  }
  void run() { tasks_.run(); }

 private:
  pe& with_messages() {
    self_.messages = &messages_;
    return self_;
  }
  pe& with_all() {
    self_.tasks = &tasks_;
    self_.memory = &heap_;
    self_.answers = &answers_;
    self_.collectives = &collectives_;
    self_.one_sided = &one_sided_;
    self_.two_sided = &two_sided_;
    self_.transport->sections().add([this](auto& into) { collectives_.tell_entered(into); });
    started_ = self_.transport->now();
    self_.started = started_;
    return self_;
  }

  /// Sets the current PE of this thread, and resets it before the parts of the PE are destroyed. If
  /// the constructor of `assembled_pe` fails, the current PE is reset, too. Because of the reset,
  /// error messages never use a PE that is partly destroyed.
  struct current_while_whole {
    explicit current_while_whole(pe& self) { current_pe = &self; }
    ~current_while_whole() { current_pe = nullptr; }
    current_while_whole(const current_while_whole&) = delete;
    current_while_whole& operator=(const current_while_whole&) = delete;
  };

  observe::recorder recorder_;
  module_table modules_;
  const memory_status memory_found_;
  memory_account account_;
  pe self_;
  message::engine messages_;
  tasks::scheduler tasks_;
  memory::heap heap_;
  memory::pending_answers answers_{account_};
  memory::collective_state collectives_;
  memory::one_sided_state one_sided_;
  memory::two_sided_state two_sided_;
  transport::nanoseconds started_ = 0;
  current_while_whole current_;
  tasks::stall_detector stalls_;
};

observe::counters own_counters() {
  pe& self = this_pe();
  self.messages->update_counters();
  observe::counters& counted = *self.counters;
  counted.run_nanoseconds = static_cast<std::uint64_t>(self.transport->now() - self.started);
  return counted;
}

task<> main_everywhere(site where) {
  co_await on_all_pes([] { return this_pe().running->main(); }, where);
}

/// Waits until all one-sided operations of all PEs are complete. The job must not end before,
/// because a one-sided operation needs the PE that owns the memory.
task<> complete_one_sided(site where) {
  const auto complete_here = [where = transport::travelling_site(where)]() -> task<> {
    co_await memory::idle_awaiter(where);
  };
  co_await on_all_pes(complete_here, where);
}

/// Awaits `ask(pe)` for each PE. At most 32 of the calls are in progress at a time.
template <class Ask>
task<> ask_all_pes(const Ask& ask, site where) {
  const auto ask_some = [&ask](int first) -> task<> {
    for (int pe = first; pe < pes(); pe += k_asked_at_a_time) co_await ask(pe);
  };
  const auto ask_all = [&] {
    for (int first = 0; first < std::min(pes(), k_asked_at_a_time); ++first)
      spawn([&ask_some, first] { return ask_some(first); });
  };
  co_await finish(ask_all, where);
}

task<> main_of_job(running_job& running) {
  try {
    if (running.spmd) {
      co_await main_everywhere(running.where);
    } else {
      co_await finish(running.main, running.where);
    }
  } catch (...) {
    running.failure = std::current_exception();
    running.failed_task = this_pe().tasks->origin_of(running.failure);
  }
  const bool has_accessed =
      this_pe().memory->has_given_symmetric() || this_pe().one_sided->team != nullptr;
  if (has_accessed) co_await complete_one_sided(running.where);
  if (!running.failure && !job_settings().metrics.empty()) {
    running.latencies = co_await read_latencies(running.where);
    running.counters = co_await read_counters(running.where);
  }
  this_pe().messages->send_directly();
  for (int pe = 0; pe < pes(); ++pe) {
    this_pe().messages->send<message::traffic::control>(
        pe, [] { this_pe().tasks->stop(); }, site::current());
  }
  this_pe().messages->flush_and_drain();
}

int report(const running_job& failed) {
  std::string where;
  if (failed.failed_task.known()) {
    where = fmt::format(" (in the task spawned at {})", to_string(failed.failed_task));
  }
  fmt::print(stderr, "atoll: error: {}{}\n", describe(failed.failure), where);
  return exit_status_of(failed.failure);
}

int start_job(const settings& asked, const main_function& main, bool spmd, site where,
              job::begun by = job::begun::by_pe_0) {
  open_standard_descriptors();
  const settings options = job::within_control_group(asked, by);
  log::set_level(options.log_level);
  const job::file_size_signal_ignored no_silent_death;
  running_job running{.main = main, .where = where, .number = next_job(), .spmd = spmd};
  memory::observed_job observed(options, by == job::begun::by_pe_0);
  // whether this process writes the metrics; if every PE calls `join_job`, only PE 0 writes them
  bool speaks = true;
  const int status = job::run_pes(
      options,
      [&](transport::endpoint& transport) {
        assembled_pe self(transport, of_job(transport, options), running, observed);
        if (by == job::begun::by_each) speaks = transport.rank() == 0;
        if (transport.rank() == 0) {
          warn_of_ignored_variables();
          self.start(&main_of_job);
        }
        self.run();
        return 0;
      },
      by);
  if (running.failure) return report(running);  // the destructor of `observed` writes the trace
  observed.end(status != 0);
  if (status == 0 && speaks && !options.metrics.empty()) {
    observe::write_metrics(options.metrics, running.counters, running.latencies);
  }
  return status;
}

}  // namespace

task<std::vector<observe::counters>> read_counters(site where) {
  std::vector<observe::counters> all(static_cast<std::size_t>(pes()));
  const auto read_of = [&](int pe) -> task<> {
    const auto counted = co_await call(pe, [] { return own_counters(); }, where);
    all[static_cast<std::size_t>(pe)] = counted;
  };
  co_await ask_all_pes(read_of, where);
  co_return all;
}

task<log_histogram> read_latencies(site where) {
  log_histogram all;
  const auto read_of = [&](int pe) -> task<> {
    log_histogram::portion part{};
    while (!part.is_last) {
      const auto next = [from = part.next] {
        return this_pe().recorder->delegates.latencies().portion_from(from);
      };
      part = co_await call(pe, next, where);
      all.merge(part);
    }
  };
  co_await ask_all_pes(read_of, where);
  co_return all;
}

int run_job(const settings& options, const main_function& main, site where) {
  return start_job(options, main, false, where);
}

int run_job_spmd(const settings& options, const main_function& main, site where) {
  return start_job(options, main, true, where);
}

int join_job(const settings& options, const main_function& main, site where) {
  job::refuse_simulation(options);
  return start_job(options, main, true, where, job::begun::by_each);
}

int memory::run_with_flags(int& argc, char** argv, const main_function& main,
                           int (*start)(const settings&, const main_function&, site), site where) {
  try {
    const settings options = settings::take_flags(argc, argv);
    const job::file_size_signal_ignored no_silent_death;
    const int status = start(options, main, where);
    if (status == 0 && !job::flush_output())
      fail(errc::environment, "{}", job::unwritten_output_text());
    return status;
  } catch (...) {
    fmt::print(stderr, "atoll: error: {}\n", describe(std::current_exception()));
    return exit_status_of(std::current_exception());
  }
}

}  // namespace atl
