// Measures context switches of the kernel. All threads are in the ready queue of one core. Each
// thread adds to its own cache line and yields.

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <system_error>
#include <thread>
#include <vector>

#include "support/cores.hpp"
#include "support/counters.hpp"
#include "support/flags.hpp"
#include "support/json_line.hpp"

namespace {

struct options {
  std::uint64_t tasks = 1000;
  double seconds = 1;
};

/// Threads that sleep until `start`. From then on, the threads run in turn on processor 0, until
/// the object is destroyed.
class yielding_threads {
 public:
  explicit yielding_threads(std::size_t count) : counters_(count) {
    counters_.touch();
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{64} << 10);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    try {
      for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this, i] { turns(i); });
    } catch (const std::system_error&) {
      const auto made = std::to_string(threads_.size());
      finish();
      throw std::runtime_error("only " + made +
                               " threads could be made: see ulimit -u and the pids"
                               " limit of the control group");
    }
  }
  ~yielding_threads() { finish(); }

  void start() { set(running); }
  std::uint64_t increments() const {
    std::uint64_t total = 0;
    for (auto& c : counters_) total += std::atomic_ref(c.value).load(std::memory_order_relaxed);
    return total;
  }
  /// Returns the smallest number of increments that a thread has made.
  std::uint64_t least_increments() const {
    std::uint64_t least = ~std::uint64_t{0};
    for (auto& c : counters_) {
      least = std::min(least, std::atomic_ref(c.value).load(std::memory_order_relaxed));
    }
    return least;
  }

 private:
  enum state : int { waiting, running, finished };

  void turns(std::size_t i) {
    bench::pin_to_processor(0);
    state_.wait(waiting);
    const std::atomic_ref counter(counters_[i].value);
    while (state_.load(std::memory_order_relaxed) == running) {
      counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      sched_yield();
    }
  }
  void set(state s) {
    state_ = s;
    state_.notify_all();
  }
  void finish() {
    set(finished);
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

  bench::huge_array<bench::line_counter> counters_;
  std::atomic<int> state_ = waiting;
  std::vector<std::thread> threads_;
};

/// Returns the number of context switches of the whole process that the kernel has counted.
double context_switches() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_nvcsw + usage.ru_nivcsw);
}

bool run(const options& o) {
  // The measuring thread runs on a second processor if there is one, because the measured threads
  // use the first processor.
  bench::pin_to_processor(1);
  yielding_threads threads(o.tasks);
  threads.start();
  const std::chrono::duration<double> time(o.seconds);
  // Increments are counted only after every thread has woken up.
  do std::this_thread::sleep_for(time / 4);
  while (threads.least_increments() == 0);
  const auto before = threads.increments();
  const auto kernel_before = context_switches();
  const bench::stopwatch watch;
  double switches = 0;
  do {  // on a loaded machine, a thread may not run at all in a short time
    std::this_thread::sleep_for(time);
    switches = static_cast<double>(threads.increments() - before);
  } while (switches == 0);
  const auto by_kernel = context_switches() - kernel_before;
  const auto seconds = watch.seconds();
  bench::json_line(switches / seconds, "switches/s")
      .add("nanoseconds_per_switch", seconds / switches * 1e9)
      .add("tasks", static_cast<double>(o.tasks))
      .add("switches", switches)
      .add("switches_counted_by_kernel", by_kernel)
      .add("seconds", seconds)
      .print();
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("cost of a switch between kernel threads on one core");
  flags.add("tasks", o.tasks, 2, 30000, "threads in the ready queue");
  flags.add("seconds", o.seconds, 0.01, 3600, "the time to measure, after a quarter to warm up");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
