#pragma once
// A program has two entry points. `run` starts one main task on PE 0, with a global view.
// `run_spmd` starts one main task on every PE.

#include "atoll/collectives.hpp"
#include "atoll/histogram.hpp"
#include "atoll/settings.hpp"

#include <functional>

namespace atl {

/// The main function of a job: a coroutine without arguments.
using main_function = std::function<task<>()>;

/// Runs `main` as one task on PE 0 of a new job. Blocks until this task, and everything that the
/// task started, has ended. The call returns in the calling process, which is PE 0. A process runs
/// one job at a time, and may call this function again. In reports, `where` is the place where the
/// main task was spawned.
///
/// Returns the exit status: 0 after success, or 128 + the signal's number if a signal killed a PE.
/// If an exception escapes `main`, prints it on standard error. After an exception, the exit status
/// is that of the atl::error, or 4 if the exception has another type.
int run_job(const settings& options, const main_function& main, site where = site::current());

/// Runs `main` as one task on every PE of a new job. Blocks until all these tasks, and everything
/// that the tasks started, have ended. Returns the status that `run_job` describes.
int run_job_spmd(const settings& options, const main_function& main, site where = site::current());

/// Runs `main` as one task on every PE of a job that each PE joins itself. Under a launcher
/// (mpirun, oshrun), each process is a PE and calls this function once. Without a launcher, the job
/// has one PE. Blocks until all tasks of the job have ended. Returns on each PE, with the status
/// that `run_job` describes.
int join_job(const settings& options, const main_function& main, site where = site::current());

/// Returns the counters of all PEs, indexed by PE. One task calls this function and waits.
task<std::vector<observe::counters>> read_counters(site where = site::current());

/// Returns the latencies of awaited delegates on all PEs so far, in nanoseconds. Every 61st
/// delegate is timed. One task calls this function and waits.
task<log_histogram> read_latencies(site where = site::current());

/// Returns the settings of this job. Throws atl::error (input) outside of a job.
inline const settings& job_settings(site where = site::current()) {
  return *pe_of_job("job_settings", where).options;
}

namespace memory {

/// Calls `start` with settings from the environment and from the flags `--atoll-...`, which are
/// removed from the arguments. If a setting is invalid, prints an error and returns the status 2.
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

/// Runs the program `main`, a coroutine without arguments, on PE 0 of a new job. Blocks until the
/// job has ended. Arguments that begin with `--atoll-` are settings, and are removed: `argc` then
/// is smaller, and `argv[argc]` is null. If a closure has copied `argc` before the call, the copy
/// has the old value, so the closure should test whether `argv[i]` is null. Returns the exit status
/// of the process: 2 for invalid settings, and otherwise the status that `run_job` describes.
template <class Main>
int run(int& argc, char** argv, Main main, site where = site::current()) {
  return memory::run_with_flags(argc, argv, memory::as_main_function(std::move(main)), &run_job,
                                where);
}

/// Runs the program `main`, a coroutine without arguments, on every PE of a new job. Blocks until
/// the job has ended. Arguments that begin with `--atoll-` are settings, and are removed. Returns
/// the exit status of the process: 2 for invalid settings, and otherwise the status that `run_job`
/// describes.
template <class Main>
int run_spmd(int& argc, char** argv, Main main, site where = site::current()) {
  return memory::run_with_flags(argc, argv, memory::as_main_function(std::move(main)),
                                &run_job_spmd, where);
}

}  // namespace atl
