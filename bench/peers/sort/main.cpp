// Measures NAS IS over MPI on the keys of `atoll bench sort --class`. The time is measured by the
// rules of NAS. If no launcher has started the program, the program starts a launcher itself.

#include "peers/mpi_session.hpp"
#include "peers/sort/ranks.hpp"
#include "support/flags.hpp"
#include "support/json_line.hpp"

namespace {

using bench::mpi_session;

struct options {
  std::string name = "A";
  std::uint64_t processes = 2;
  bool over_hosts = false;
  bool verify = false;
};

const atl::nas_class& class_of(const options& o) {
  const auto* found = o.name.size() == 1 ? atl::nas_class_of(o.name.front()) : nullptr;
  if (found == nullptr)
    throw bench::bad_input("--class: '" + o.name + "' is none of S, W, A, B, C");
  return *found;
}

/// Returns whether the result of all processes is in ascending order and has each value as often as
/// the input has it. All processes call this function.
bool is_right(const bench::sort::ranks& of, const atl::nas_class& given, const mpi_session& all) {
  std::vector<std::uint32_t> counts(given.range());
  for (const auto each : of.keys()) ++counts[each];
  for (const auto each : of.sorted()) --counts[each];
  MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(counts.size()), MPI_UINT32_T, MPI_SUM,
                MPI_COMM_WORLD);
  const auto sorted = of.sorted();
  bool right = std::ranges::is_sorted(sorted) &&
               std::ranges::all_of(counts, [](auto count) { return count == 0; });
  std::vector<std::uint32_t> lasts(static_cast<std::size_t>(all.size));
  const std::uint32_t last = sorted.empty() ? 0 : sorted.back();
  MPI_Allgather(&last, 1, MPI_UINT32_T, lasts.data(), 1, MPI_UINT32_T, MPI_COMM_WORLD);
  for (int process = 0; process < all.rank; ++process)
    right &= sorted.empty() || lasts[static_cast<std::size_t>(process)] <= sorted.front();
  return mpi_session::sum(std::uint64_t{!right}) == 0;
}

bool measure(const options& o, const mpi_session& all) {
  const auto& of = class_of(o);
  bench::sort::ranks ranks(of, all.rank, all.size);
  ranks.rank(1);  // a warm-up run, which NAS does not measure
  ranks.restore();
  std::uint64_t passed = 0;
  const double seconds = bench::seconds_of_all([&] {
    for (std::uint64_t i = 1; i <= atl::nas_class::iterations; ++i) passed += ranks.rank(i);
  });
  const double seconds_sorted = bench::seconds_of_all([&] { ranks.sort(); });
  const bool right =
      mpi_session::sum(passed) == atl::nas_class::iterations * atl::nas_class::tested_keys &&
      (!o.verify || is_right(ranks, of, all));
  if (all.rank != 0) return right;
  const auto keys = static_cast<double>(of.keys());
  bench::json_line(keys * static_cast<double>(atl::nas_class::iterations) / seconds, "keys/s")
      .add("seconds", seconds)
      .add("rate_sorted", keys / seconds_sorted)
      .add("keys", keys)
      .add("processes", all.size)
      .print();
  return right;
}

bool run(const options& o, char** argv) {
  (void)class_of(o);
  bench::launch_under_mpi(BENCH_LAUNCHER, argv, o.processes, o.over_hosts);
  const mpi_session all;
  return measure(o, all);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of NAS IS by MPI_Alltoallv; starts its own processes");
  flags.add("class", o.name, "S, W, A, B or C of NAS IS");
  flags.add("processes", o.processes, 1, 1024,
            "processes, where no launcher has started this program");
  flags.add("over-hosts", o.over_hosts, "let Open MPI choose transports beside shared memory");
  flags.add("verify", o.verify, "check the order of the sorted keys, and count them");
  return bench::run_program(flags, argc, argv, [&] { return run(o, argv); });
}
