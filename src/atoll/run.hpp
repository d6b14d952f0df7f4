#pragma once
// The two entries of a program: `run`, one main task on PE 0 with a global view, and `run_spmd`,
// the program on every PE.

#include "atoll/collectives.hpp"
#include "atoll/histogram.hpp"
#include "atoll/settings.hpp"

#include <functional>

namespace atl {

/// What a job runs: a coroutine without arguments.
using main_function = std::function<task<>()>;

/// Runs `main` as one task on PE 0 of a new job and returns in the calling process, which is PE 0,
/// when it and all it started have ended. Returns the exit status: 0; the status of an atl::error
/// that left `main`, or 4 for another exception, after saying so on standard error; 128 + signal of
/// a dead PE. Blocks. One job at a time in a process; may be called again. Reports name `where` as
/// the place where the main task was spawned.
int run_job(const settings& options, const main_function& main, site where = site::current());

/// As run_job, with `main` on every PE.
int run_job_spmd(const settings& options, const main_function& main, site where = site::current());

/// As run_job_spmd, for a program that runs on each PE from its beginning: under a launcher
/// (mpirun, oshrun) each process is a PE and calls it, once; without one there is one PE. Returns
/// on each.
int join_job(const settings& options, const main_function& main, site where = site::current());

/// The counters of all PEs, by PE. One task calls it and waits.
task<std::vector<observe::counters>> read_counters(site where = site::current());

/// How long blocking delegates took on all PEs so far, in nanoseconds: every 61st is timed. One
/// task calls it and waits.
task<log_histogram> read_latencies(site where = site::current());

/// The settings of this job. Throws atl::error (input) outside of a job.
inline const settings& job_settings(site where = site::current()) {
  return *pe_of_job("job_settings", where).options;
}

namespace memory {

/// Settings from the environment and from the flags `--atoll-...`, which are taken away; bad ones
/// are said on standard error and end with status 2.
int run_with_flags(int& argc, char** argv, const main_function& main,
                   int (*start)(const settings&, const main_function&, site), site where);

template <class Main>
main_function as_main_function(Main main) {
  static_assert(std::is_invocable_v<Main&>,
                "the program given to `run` takes no arguments: write `atl::task<> program()`");
  static_assert(tasks::is_task<std::invoke_result_t<Main&>>,
                "the program given to `run` is a coroutine: write `atl::task<> program()` in place "
                "of `void program()`, with `co_await` or `co_return` in its body");
  return [main = std::move(main)]() -> task<> { co_await main(); };
}

}  // namespace memory

/// Runs the program: `main` is a coroutine without arguments, called on PE 0. Takes what begins
/// with `--atoll-` out of the arguments. Returns the exit status of the process.
template <class Main>
int run(int& argc, char** argv, Main main, site where = site::current()) {
  return memory::run_with_flags(argc, argv, memory::as_main_function(std::move(main)), &run_job,
                                where);
}

/// As `run`, with `main` called on every PE.
template <class Main>
int run_spmd(int& argc, char** argv, Main main, site where = site::current()) {
  return memory::run_with_flags(argc, argv, memory::as_main_function(std::move(main)),
                                &run_job_spmd, where);
}

}  // namespace atl
