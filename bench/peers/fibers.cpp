// Measures context switches of stackful coroutines (Boost.Context). Fibers on one core form a ring;
// each fiber adds to its own cache line and yields to the next fiber. The stacks of 4 KiB have no
// guard pages and are all in one block of huge pages.

#include <boost/context/detail/fcontext.hpp>

#include "support/cores.hpp"
#include "support/counters.hpp"
#include "support/flags.hpp"
#include "support/huge_array.hpp"
#include "support/json_line.hpp"

namespace {

namespace context = boost::context::detail;

struct options {
  std::uint64_t tasks = 1000, stack_size = 4096, prefetch = 16;
  double seconds = 1;
};

/// The body of a fiber, whose counter is `start.data`. The fiber never ends; its stack is freed
/// while the fiber is suspended.
void count_and_yield(context::transfer_t start) {
  auto& counter = *static_cast<bench::line_counter*>(start.data);
  auto scheduler = start.fctx;
  for (;;) {
    ++counter.value;
    scheduler = context::jump_fcontext(scheduler, nullptr).fctx;
  }
}

/// The ring of all suspended fibers. Every fiber is always ready, so the order of the ring never
/// changes.
class fiber_ring {
 public:
  explicit fiber_ring(const options& o)
      : prefetch_(o.prefetch),
        counters_(o.tasks),
        ring_(o.tasks + o.prefetch),
        stacks_(o.tasks * stride(o)) {
    for (std::size_t i = 0; i < o.tasks; ++i) {
      auto* const top = stacks_.data() + i * stride(o) + o.stack_size;
      const auto fiber = context::make_fcontext(top, o.stack_size, count_and_yield);
      ring_[i] = context::jump_fcontext(fiber, &counters_[i]).fctx;
    }
  }

  /// Runs every fiber once. If `Prefetching` is true, prefetches the saved registers of the next
  /// fibers.
  template <bool Prefetching>
  void turn() {
    const auto size = counters_.size();
    for (std::size_t i = 0; i < size; ++i) {
      if constexpr (Prefetching) {
        // The handle of a suspended fiber is the address of its saved registers on its stack. The
        // registers take two cache lines.
        auto* const registers = static_cast<std::byte*>(ring_[i + prefetch_]);
        __builtin_prefetch(registers);
        __builtin_prefetch(registers + 64);
      }
      ring_[i] = context::jump_fcontext(ring_[i], nullptr).fctx;
    }
  }

  std::uint64_t increments() const { return bench::sum(counters_); }

 private:
  // The distance between neighbouring stacks is one cache line more than the size of a stack.
  // Without the additional cache line, the tops of all stacks would map to the same cache set.
  static std::size_t stride(const options& o) { return o.stack_size + 64; }

  std::size_t prefetch_;
  bench::huge_array<bench::line_counter> counters_;
  bench::huge_array<context::fcontext_t> ring_;
  bench::huge_block stacks_;
};

struct measurement {
  double switches = 0, seconds = 0;
  double nanoseconds_per_switch() const { return seconds / switches * 1e9; }
};

/// Throws std::logic_error if a fiber did not run exactly once per turn.
template <bool Prefetching>
measurement measure(fiber_ring& fibers, const options& o) {
  fibers.turn<Prefetching>();
  const auto before = fibers.increments();
  measurement m;
  std::uint64_t turns = 0;
  for (const bench::stopwatch watch; m.seconds < o.seconds; m.seconds = watch.seconds()) {
    fibers.turn<Prefetching>();
    ++turns;
  }
  if (fibers.increments() - before != turns * o.tasks) throw std::logic_error("a fiber was lost");
  m.switches = static_cast<double>(turns * o.tasks);
  return m;
}

bool run(const options& o) {
  if (o.stack_size % 64 != 0) throw bench::bad_input("--stack-size: must be a multiple of 64");
  bench::require_memory(static_cast<double>(o.tasks) * static_cast<double>(o.stack_size + 192));
  bench::pin_to_processor(0);
  fiber_ring fibers(o);
  const auto plain = measure<false>(fibers, o);
  const auto prefetched = measure<true>(fibers, o);
  bench::json_line(prefetched.switches / prefetched.seconds, "switches/s")
      .add("nanoseconds_per_switch", prefetched.nanoseconds_per_switch())
      .add("nanoseconds_per_switch_without_prefetch", plain.nanoseconds_per_switch())
      .add("tasks", static_cast<double>(o.tasks))
      .add("switches", prefetched.switches)
      .add("seconds", prefetched.seconds)
      .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
      .print();
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("cost of a switch between fibers of Boost.Context on one core");
  flags.add("tasks", o.tasks, 1, 4000000, "fibers in the ring");
  flags.add("seconds", o.seconds, 0.001, 3600, "the time to measure, with prefetching and without");
  flags.add("stack-size", o.stack_size, 1024, 1 << 20, "bytes of a stack");
  flags.add("prefetch", o.prefetch, 0, 64, "how many fibers ahead saved registers are asked for");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
