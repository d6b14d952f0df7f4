// Measures random updates in the way that is usual with MPI. Chunks of updates are sorted by owner,
// exchanged by MPI_Alltoallv, and applied with prefetching to tables in huge pages. If no launcher
// has started the program, the program starts a launcher itself.

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "exchange.hpp"
#include "launch.hpp"
#include "support/cores.hpp"
#include "support/flags.hpp"
#include "support/json_line.hpp"

namespace {

using namespace bench::alltoallv;

struct options {
  std::uint64_t log2_table = 25, updates_per_word = 4, processes = 2, passes = 1, chunk = 16384;
  bool verify = false;
};

/// The rank of this process.
class world {
 public:
  world() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~world() { MPI_Finalize(); }
  std::size_t rank() const { return static_cast<std::size_t>(rank_); }
  std::size_t size() const { return static_cast<std::size_t>(size_); }
  std::uint64_t sum(std::uint64_t value) const {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return value;
  }
  void barrier() const { MPI_Barrier(MPI_COMM_WORLD); }

 private:
  int rank_ = 0, size_ = 1;
};

/// Computes the remainder of a division by a number that is no power of two, without a division
/// instruction. The method multiplies by the lower 64 bits of a factor of 65 bits (Granlund and
/// Montgomery, 1994).
class remainder_by {
 public:
  explicit remainder_by(std::uint64_t divisor)
      : divisor_(divisor),
        shift_(std::bit_width(divisor) - 1),
        factor_(static_cast<std::uint64_t>((product{1} << (65 + shift_)) / divisor + 1)) {}

  std::uint64_t operator()(update r) const {
    const auto high = static_cast<std::uint64_t>(product{r} * factor_ >> 64);
    return r - ((((r - high) >> 1) + high) >> shift_) * divisor_;
  }

 private:
  __extension__ typedef unsigned __int128 product;

  std::uint64_t divisor_;
  int shift_;
  std::uint64_t factor_;
};

/// The tables, the buffers and the passes of one rank.
template <class Modulo>
class experiment {
 public:
  experiment(const options& o, const world& all, Modulo modulo)
      : all_(all),
        place_{modulo, static_cast<unsigned>(o.log2_table)},
        updates_(o.updates_per_word << o.log2_table),
        words_(std::size_t{1} << o.log2_table),
        exchange_(all.size(), all.rank(), o.chunk) {
    std::iota(words_.begin(), words_.end(), std::uint64_t{0});
  }

  /// Performs one pass on all ranks and returns its seconds.
  double pass() {
    all_.barrier();
    const bench::stopwatch watch;
    applied_ +=
        exchange_.pass(words_, place_, static_cast<std::int64_t>(all_.rank() * updates_), updates_);
    all_.barrier();
    ++passes_;
    return watch.seconds();
  }

  /// Returns whether every update was applied once. An even number of passes must restore the
  /// initial table.
  bool is_right() {
    if (passes_ % 2 != 0) pass();
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < words_.size(); ++i) wrong += words_[i] != i;
    return all_.sum(wrong) == 0 && all_.sum(applied_) == passes_ * updates_ * all_.size();
  }

 private:
  const world& all_;
  placement<Modulo> place_;
  std::uint64_t updates_, passes_ = 0, applied_ = 0;
  bench::huge_array<std::uint64_t> words_;
  exchange exchange_;
};

template <class Modulo>
bool measure(const options& o, const world& all, Modulo modulo) {
  experiment experiment(o, all, modulo);
  experiment.pass();  // a warm-up run, as in Atoll's benchmark
  std::vector<double> seconds(o.passes);
  for (auto& pass : seconds) pass = experiment.pass();
  const bool right = !o.verify || experiment.is_right();
  if (all.rank() != 0) return right;
  const auto cores = static_cast<double>(all.size());
  const auto updates = cores * static_cast<double>(o.updates_per_word << o.log2_table);
  const auto rate = updates / bench::median(seconds);
  bench::json_line(rate, "updates/s")
      .add("rate_per_core", rate / cores)
      .add("rate_best", updates / *std::min_element(seconds.begin(), seconds.end()))
      .add("seconds", bench::median(seconds))
      .add("processes", cores)
      .add("log2_table", static_cast<double>(o.log2_table))
      .add("updates", updates)
      .add("passes", static_cast<double>(o.passes))
      .add("chunk", static_cast<double>(o.chunk))
      .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
      .print();
  return right;
}

bool run(const options& o, char** argv) {
  if (!is_launched()) {
    const auto ranks = static_cast<double>(o.processes);
    const auto buffers = 16 * ranks * static_cast<double>(o.chunk);
    bench::require_memory(ranks * (static_cast<double>(8ull << o.log2_table) + buffers));
    launch(argv, o.processes);
  }
  const world all;
  const auto words = static_cast<std::uint64_t>(all.size()) << o.log2_table;
  if (std::has_single_bit(words)) {
    return measure(o, all, [mask = words - 1](update r) { return r & mask; });
  }
  return measure(o, all, remainder_by(words));
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of random updates by MPI_Alltoallv; starts its own ranks");
  flags.add("log2-table", o.log2_table, 1, 40, "2^N words of 8 bytes a rank");
  flags.add("updates-per-word", o.updates_per_word, 1, 1024, "updates of a pass, per word");
  flags.add("processes", o.processes, 1, 1024, "ranks, where no launcher has started this program");
  flags.add("passes", o.passes, 1, 1000, "timed passes; the rate is that of the median one");
  flags.add("chunk", o.chunk, 1, 1 << 24, "updates a rank sorts and exchanges at once");
  flags.add("verify", o.verify, "count the updates, take them back and compare the tables");
  return bench::run_program(flags, argc, argv, [&] { return run(o, argv); });
}
