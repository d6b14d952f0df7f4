// Programs that hang or end too early. The first argument of the command selects one of the
// programs. In most programs, tasks wait for an object that another PE owns.

#include "dependents.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace {

using namespace atl;

// ---- waiting forever

task<> wait_for_nobody() {
  latch never(1);
  co_await never.wait();
}

task<> wait_at_home() {
  return on_all_pes([] { return wait_for_nobody(); });
}

/// The path of a file, which is the second argument of the program. Slow programs continue as long
/// as this file exists.
std::string held_by;

task<> wait_slowly() {
  for (int i = 0; i < 300 || std::filesystem::exists(held_by); ++i) co_await sleep_for(10'000'000);
}

task<> go_on_slowly() {
  std::puts("begun");
  std::fflush(stdout);
  co_await on_all_pes([] { return wait_slowly(); });
}

/// Makes an object on PE 0 and lets every PE wait for the object.
template <class Object>
task<> wait_at_pe_0(auto prepare, auto wait_at) {
  const auto objects = co_await make_array<Object>(static_cast<std::uint64_t>(pes()));
  const auto at = objects[0];
  co_await update(at, prepare);
  co_await on_all_pes([at, wait_at] { return wait_at(at); });
}

const auto k_nothing_to_prepare = [](auto&) {};

task<> at_latch() {
  return wait_at_pe_0<latch>([](latch& l) { l = latch(1); },
                             [](auto at) -> task<> { co_await wait(at); });
}
task<> at_barrier() {
  return wait_at_pe_0<barrier>(
      [](barrier& b) { b = barrier(static_cast<std::uint64_t>(pes()) + 1); },
      [](auto at) -> task<> { co_await arrive_and_wait(at); });
}
task<> at_mutex() {
  return wait_at_pe_0<mutex>(k_nothing_to_prepare, [](auto at) -> task<> {
    co_await lock(at);
    if (my_pe() == 0) co_await lock(at);
  });
}
/// Every PE holds a lock for which the previous PE waits.
task<> in_a_circle() {
  const auto locks = co_await make_array<mutex>(static_cast<std::uint64_t>(pes()));
  co_await on_all_pes([locks]() -> task<> {
    const auto me = static_cast<std::uint64_t>(my_pe());
    co_await lock(locks[me]);
    co_await all_barrier();
    co_await lock(locks[(me + 1) % locks.size()]);
  });
}
task<> at_semaphore() {
  return wait_at_pe_0<semaphore>(k_nothing_to_prepare,
                                 [](auto at) -> task<> { co_await acquire(at); });
}
task<> at_full_empty() {
  return wait_at_pe_0<full_empty<std::uint64_t>>(k_nothing_to_prepare,
                                                 [](auto at) -> task<> { co_await read_full(at); });
}
task<> at_condition_variable() {
  const auto locks = co_await make_array<mutex>(static_cast<std::uint64_t>(pes()));
  co_await wait_at_pe_0<condition_variable>(k_nothing_to_prepare,
                                            [held = locks[0]](auto at) -> task<> {
                                              co_await lock(held);
                                              co_await wait(at, held);
                                            });
}
task<> in_collective() {
  return on_all_pes([]() -> task<> {
    if (my_pe() != pes() - 1) co_await all_barrier();
  });
}

/// Each PE waits for a change of a word that no PE changes.
task<> at_wait_until() {
  const auto words = co_await make_symmetric_array<std::uint64_t>(1);
  co_await on_all_pes([words]() -> task<> {
    co_await one_sided::wait_until(words.local().data(), one_sided::comparison::equal, 1);
  });
}
/// The last PE never enters the barrier.
task<> at_one_sided_barrier() {
  return on_all_pes([]() -> task<> {
    co_await one_sided::barrier();
    if (my_pe() == pes() - 1) co_return;
    co_await one_sided::barrier();
  });
}

// ---- blocked in the kernel

task<> blocked_first() {
  return on_all_pes([] {
    while (my_pe() == 0) pause();
  });
}
task<> blocked_last() {
  return on_all_pes([] {
    while (my_pe() == pes() - 1) pause();
  });
}

// ---- Programs that end although other PEs have not ended.

task<> exit_of(int pe, int status) {
  return on_all_pes([=]() -> task<> {
    if (my_pe() == pe) std::exit(status);
    co_await wait_for_nobody();
  });
}
task<> exit_first() { return exit_of(0, 7); }
task<> exit_last() { return exit_of(pes() - 1, 7); }
task<> exit_last_as_if_right() { return exit_of(pes() - 1, 0); }

/// The process ends without calling its exit handlers.
task<> leaves_last() {
  std::puts("begun");
  std::fflush(stdout);
  co_await on_all_pes([]() -> task<> {
    if (my_pe() == pes() - 1) _exit(7);
    co_await wait_slowly();
  });
}

task<> throws_last() {
  return on_all_pes([]() -> task<> {
    if (my_pe() == pes() - 1) throw std::runtime_error("the last PE is unhappy");
    co_await wait_for_nobody();
  });
}
task<> throws_main() {
  spawn([] { return wait_for_nobody(); });
  co_await yield();
  throw std::runtime_error("the main task is unhappy");
}

// ---- ending while PEs wait for each other's events, reservations and phases

task<> dependents_until(dependents::accident what) {
  co_await dependents::run(UINT64_MAX, 30, what);
}
task<> dependents_exit() { return dependents_until(dependents::accident::exit); }
task<> dependents_throw() { return dependents_until(dependents::accident::exception); }
task<> dependents_abort() { return dependents_until(dependents::accident::abort); }
task<> dependents_killed() { return dependents_until(dependents::accident::kill); }
task<> dependents_for_ever() { return dependents_until(dependents::accident::none); }

task<> nothing() { co_return; }

const std::map<std::string, task<> (*)()> k_ways{
    {"at-home", wait_at_home},
    {"slowly", go_on_slowly},
    {"latch", at_latch},
    {"barrier", at_barrier},
    {"mutex", at_mutex},
    {"circle", in_a_circle},
    {"semaphore", at_semaphore},
    {"full-empty", at_full_empty},
    {"condition-variable", at_condition_variable},
    {"collective", in_collective},
    {"wait-until", at_wait_until},
    {"one-sided-barrier", at_one_sided_barrier},
    {"blocked-first", blocked_first},
    {"blocked-last", blocked_last},
    {"exit-first", exit_first},
    {"exit-last", exit_last},
    {"exit-last-as-if-right", exit_last_as_if_right},
    {"leaves-last", leaves_last},
    {"throws-last", throws_last},
    {"throws-main", throws_main},
    {"dependents-exit", dependents_exit},
    {"dependents-throw", dependents_throw},
    {"dependents-abort", dependents_abort},
    {"dependents-killed", dependents_killed},
    {"dependents-for-ever", dependents_for_ever},
    {"killed-when-forked", nothing},
};

// ---- ending outside of a job

/// Kills PE 2 of 3 as soon as its parent process has forked the process of PE 2.
void die_when_forked() {
  static int forked = 0;
  static const char* const rank = [] {
    const char* const of_openmpi = std::getenv("OMPI_COMM_WORLD_RANK");
    return of_openmpi != nullptr ? of_openmpi : std::getenv("PMI_RANK");
  }();
  pthread_atfork([] { ++forked; }, nullptr,
                 [] {
                   if (rank != nullptr ? *rank == '2' : forked == 2) raise(SIGKILL);
                 });
}

/// Runs a job, and kills this process after the job. After a job under a launcher, each rank
/// continues the program.
int die_after_a_job(int argc, char** argv) {
  const int status = run(argc, argv, nothing);
  raise(SIGKILL);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 && argv[1][0] != '-' ? argv[1] : "at-home";
  if (argc > 2 && argv[2][0] != '-') held_by = argv[2];
  if (how == "killed-after-a-job") return die_after_a_job(argc, argv);
  if (how == "killed-when-forked") die_when_forked();
  return run(argc, argv, k_ways.at(how));
}
