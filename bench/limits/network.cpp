// Measures the parameters of the LogGP model for the network between hosts, with MPI. All ranks
// exchange messages at once with ranks of other hosts. mpirun or tools/hosts.sh starts the program.

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "support/cores.hpp"
#include "support/flags.hpp"
#include "support/json_line.hpp"

namespace {

struct options {
  std::uint64_t repeats = 9, round_trips = 500, windows = 50, window = 16, bytes = 32 << 10;
};

/// This rank, the rank to which it sends, and the rank from which it receives. The number of this
/// rank differs from the numbers of both other ranks by half the number of ranks, so both are on
/// other hosts. For round trips, each rank of the first half has a partner, whose number is larger
/// by half the number of ranks.
class rank_in_ring {
 public:
  rank_in_ring() {
    int rank = 0, size = 1;
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1) {
      MPI_Finalize();
      throw bench::bad_input("one rank has nobody to exchange messages with");
    }
    const int half = size / 2;
    is_root_ = rank == 0;
    begins_ = rank < half;
    has_partner_ = rank < 2 * half;
    to_ = (rank + half) % size;
    from_ = (rank + size - half) % size;
    partner_ = begins_ ? rank + half : rank - half;
  }
  ~rank_in_ring() { MPI_Finalize(); }

  bool is_root() const { return is_root_; }

  /// Sends `word` to the partner and back. If the number of ranks is odd, the last rank has no
  /// partner and returns at once.
  void round_trip(char& word) const {
    if (!has_partner_) return;
    if (begins_) MPI_Send(&word, 1, MPI_CHAR, partner_, 0, MPI_COMM_WORLD);
    MPI_Recv(&word, 1, MPI_CHAR, partner_, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!begins_) MPI_Send(&word, 1, MPI_CHAR, partner_, 0, MPI_COMM_WORLD);
  }

  /// Exchanges `count` messages in each direction at once.
  void exchange(std::vector<char>& out, std::vector<char>& in, std::size_t count) const {
    std::vector<MPI_Request> requests(2 * count);
    const std::size_t bytes = out.size() / count;
    for (std::size_t i = 0; i < count; ++i) {
      MPI_Irecv(&in[i * bytes], static_cast<int>(bytes), MPI_CHAR, from_, 0, MPI_COMM_WORLD,
                &requests[i]);
      MPI_Isend(&out[i * bytes], static_cast<int>(bytes), MPI_CHAR, to_, 0, MPI_COMM_WORLD,
                &requests[count + i]);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

 private:
  bool is_root_ = true, begins_ = true, has_partner_ = true;
  int to_ = 0, from_ = 0, partner_ = 0;
};

/// Returns the time of one call of `step` on the slowest rank, in nanoseconds. The time is the
/// median of `repeats` measurements, each of `steps` calls.
template <class Step>
double nanoseconds_of(std::uint64_t repeats, std::uint64_t steps, Step step) {
  std::vector<double> found(repeats);
  for (auto& each : found) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (std::uint64_t i = 0; i < steps; ++i) step();
    each = 1e9 * (MPI_Wtime() - begin) / static_cast<double>(steps);
    MPI_Allreduce(MPI_IN_PLACE, &each, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  return bench::median(found);
}

double exchange_nanoseconds(const options& o, const rank_in_ring& ring, std::uint64_t bytes) {
  std::vector<char> out(o.window * bytes), in(o.window * bytes);
  return nanoseconds_of(o.repeats, o.windows, [&] { ring.exchange(out, in, o.window); }) /
         static_cast<double>(o.window);
}

double look_nanoseconds(const options& o) {
  return nanoseconds_of(o.repeats, 1000, [] {
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  });
}

bool run(const options& o) {
  const rank_in_ring ring;
  char word = 0;
  const double trip = nanoseconds_of(o.repeats, o.round_trips, [&] { ring.round_trip(word); });
  const double small = exchange_nanoseconds(o, ring, 8);
  const double large = exchange_nanoseconds(o, ring, o.bytes);
  const double look = look_nanoseconds(o);
  if (!ring.is_root()) return true;
  bench::json_line(1e9 * static_cast<double>(o.bytes) / large, "bytes/s")
      .add("half_round_trip_nanoseconds", trip / 2)
      .add("small_message_nanoseconds", small)
      .add("large_message_nanoseconds", large)
      .add("look_nanoseconds", look)
      .add("bytes", static_cast<double>(o.bytes))
      .print();
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("latency and rate of MPI between ranks, in both directions at once");
  flags.add("repeats", o.repeats, 1, 1000, "stretches of each kind; figures are their medians");
  flags.add("round-trips", o.round_trips, 1, 1'000'000, "of a stretch");
  flags.add("windows", o.windows, 1, 1'000'000, "of a stretch of messages");
  flags.add("window", o.window, 1, 1024, "messages under way at a time");
  flags.add("bytes", o.bytes, 8, 1 << 20, "of a large message; small ones have 8");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
