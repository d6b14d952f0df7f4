#pragma once
// Performs one pass of random updates over all ranks. The stream is processed in chunks. The
// updates of a chunk are sorted into one bucket per owner, exchanged by MPI_Alltoallv, and applied.

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "atoll/random.hpp"
#include "support/huge_array.hpp"
#include "support/prefetch.hpp"

namespace bench::alltoallv {

using update = std::uint64_t;

/// The location of the word that an update changes. Each rank has a table of 2^log2_table words,
/// and the tables are in the order of ranks. `Modulo` computes the remainder of a division by the
/// number of all words.
template <class Modulo>
struct placement {
  Modulo modulo;
  unsigned log2_table;
  std::size_t owner(update r) const { return modulo(r) >> log2_table; }
  std::size_t local(update r) const { return modulo(r) & ((std::size_t{1} << log2_table) - 1); }
};

/// Exchanges and applies the updates of a rank, in chunks of at most `capacity` updates.
class exchange {
 public:
  exchange(std::size_t ranks, std::size_t rank, std::size_t capacity)
      : rank_(rank),
        capacity_(capacity),
        buckets_(ranks * capacity + near_distance),
        received_(ranks * capacity + near_distance),
        send_counts_(ranks),
        receive_counts_(ranks),
        send_places_(ranks),
        receive_places_(ranks) {
    buckets_.touch();
    received_.touch();
    for (std::size_t i = 0; i < ranks; ++i) send_places_[i] = static_cast<int>(i * capacity);
  }

  /// Issues the updates `first` + 1 to `first` + `count` of the stream. Every rank must call the
  /// function with the same `count`. Returns the number of updates that this rank has applied to
  /// `words`.
  template <class Modulo>
  std::uint64_t pass(const huge_array<std::uint64_t>& words, const placement<Modulo>& place,
                     std::int64_t first, std::uint64_t count) {
    atl::hpcc_stream stream(first);
    std::uint64_t applied = 0;
    for (std::uint64_t done = 0; done < count; done += capacity_) {
      fill(stream, place, std::min<std::uint64_t>(capacity_, count - done));
      // The bucket of this rank is not sent, because this rank applies it.
      const auto own = static_cast<std::size_t>(std::exchange(send_counts_[rank_], 0));
      const auto received = swap_buckets();
      apply(words, place, buckets_.data() + rank_ * capacity_, own);
      apply(words, place, received_.data(), received);
      applied += own + received;
    }
    return applied;
  }

 private:
  template <class Modulo>
  void fill(atl::hpcc_stream& stream, const placement<Modulo>& place, std::uint64_t count) {
    std::fill(send_counts_.begin(), send_counts_.end(), 0);
    for (std::uint64_t i = 0; i < count; ++i) {
      const update r = stream.next();
      const auto owner = place.owner(r);
      buckets_[owner * capacity_ + static_cast<std::size_t>(send_counts_[owner]++)] = r;
    }
  }

  /// Exchanges the buckets. Returns the number of received updates.
  std::size_t swap_buckets() {
    MPI_Alltoall(send_counts_.data(), 1, MPI_INT, receive_counts_.data(), 1, MPI_INT,
                 MPI_COMM_WORLD);
    int received = 0;
    for (std::size_t i = 0; i < receive_counts_.size(); ++i) {
      receive_places_[i] = std::exchange(received, received + receive_counts_[i]);
    }
    MPI_Alltoallv(buckets_.data(), send_counts_.data(), send_places_.data(), MPI_UINT64_T,
                  received_.data(), receive_counts_.data(), receive_places_.data(), MPI_UINT64_T,
                  MPI_COMM_WORLD);
    return static_cast<std::size_t>(received);
  }

  template <class Modulo>
  static void apply(const huge_array<std::uint64_t>& words, const placement<Modulo>& place,
                    const update* updates, std::size_t count) {
    constexpr std::size_t ahead = near_distance;
    for (std::size_t i = 0; i < count; ++i) {
      // Near the end of the bucket, the prefetch is useless, because `updates[i + ahead]` is memory
      // behind the bucket.
      bring_near(words.data() + place.local(updates[i + ahead]));
      words[place.local(updates[i])] ^= updates[i];
    }
  }

  std::size_t rank_, capacity_;
  huge_array<update> buckets_, received_;
  std::vector<int> send_counts_, receive_counts_, send_places_, receive_places_;
};

}  // namespace bench::alltoallv
