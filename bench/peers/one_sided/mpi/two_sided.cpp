#include "peers/one_sided/mpi/two_sided.hpp"

#include <mpi.h>

#include <array>

#include "peers/one_sided/contents.hpp"
#include "support/cores.hpp"

namespace bench::one_sided {
namespace {

void send(const std::byte* data, std::size_t bytes, std::size_t to) {
  MPI_Send(data, static_cast<int>(bytes), MPI_BYTE, static_cast<int>(to), 0, MPI_COMM_WORLD);
}

void receive(std::byte* data, std::size_t bytes, std::size_t from) {
  MPI_Recv(data, static_cast<int>(bytes), MPI_BYTE, static_cast<int>(from), 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

/// Measures messages from process 0 that process 1 sends back. The result is right if process 0
/// receives the bytes that it has sent.
class ping_pong : public operation {
 public:
  ping_pong(library& all, const options& o)
      : rank_(all.rank()),
        bytes_(o.size),
        sent_(all.memory(bytes_)),
        received_(all.memory(bytes_)) {}

  void prepare(unsigned seed) override {
    clear(received_, bytes_);
    if (rank_ == 0) fill(sent_, bytes_, seed);
  }

  double run(std::uint64_t rounds) override {
    const stopwatch watch;
    for (std::uint64_t i = 0; i < rounds && rank_ < 2; ++i) {
      if (rank_ == 0) send(sent_, bytes_, 1);
      receive(received_, bytes_, 1 - rank_);
      if (rank_ == 1) send(received_, bytes_, 0);
    }
    return rank_ == 0 ? watch.seconds() : 0;
  }

  bool is_right(unsigned seed) override { return rank_ > 1 || holds(received_, bytes_, seed); }
  std::size_t operations_of_round() const override { return 2; }

 private:
  std::size_t rank_, bytes_;
  std::byte *sent_, *received_;
};

/// Measures many messages in flight at once. For put-nbi, process 1 sends an empty message when all
/// messages have arrived. For get-nbi, process 0 sends an empty message to request the messages.
class windows : public operation {
 public:
  windows(library& all, const options& o)
      : rank_(all.rank()),
        source_(o.operation == "put-nbi" ? 0 : 1),
        bytes_(o.size),
        data_(all.memory(places_of_window * stride(bytes_))) {}

  void prepare(unsigned seed) override {
    for (std::size_t k = 0; k < places_of_window; ++k) {
      clear(place(k), bytes_);
      if (rank_ == source_) fill(place(k), bytes_, seed + k);
    }
  }

  double run(std::uint64_t rounds) override {
    const stopwatch watch;
    for (std::uint64_t i = 0; i < rounds && rank_ < 2; ++i) {
      if (source_ == 1) ask();
      move();
      if (source_ == 0) answer();
    }
    return rank_ == 0 ? watch.seconds() : 0;
  }

  bool is_right(unsigned seed) override {
    for (std::size_t k = 0; k < places_of_window && rank_ < 2; ++k) {
      if (!holds(place(k), bytes_, seed + k)) return false;
    }
    return true;
  }
  std::size_t operations_of_round() const override { return places_of_window; }

 private:
  std::byte* place(std::size_t k) const { return data_ + k * stride(bytes_); }
  void ask() const { rank_ == 0 ? send(nullptr, 0, 1) : receive(nullptr, 0, 0); }
  void answer() const { rank_ == 0 ? receive(nullptr, 0, 1) : send(nullptr, 0, 0); }
  void move() {
    const auto count = static_cast<int>(bytes_);
    const auto other = static_cast<int>(1 - rank_);
    for (std::size_t k = 0; k < places_of_window; ++k) {
      if (rank_ == source_) {
        MPI_Isend(place(k), count, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests_[k]);
      } else {
        MPI_Irecv(place(k), count, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests_[k]);
      }
    }
    MPI_Waitall(static_cast<int>(places_of_window), requests_.data(), MPI_STATUSES_IGNORE);
  }

  std::size_t rank_, source_, bytes_;
  std::byte* data_;
  std::array<MPI_Request, places_of_window> requests_;
};

class message_ring : public operation {
 public:
  message_ring(library& all, const options& o)
      : all_(all), bytes_(o.size), rounds_(o.rounds), token_(all.memory(bytes_)) {}

  void prepare(unsigned seed) override {
    clear(token_, bytes_);
    if (all_.rank() == 0) fill(token_, bytes_, seed);
  }

  double run(std::uint64_t rounds) override {
    const auto next = (all_.rank() + 1) % all_.size();
    const auto previous = (all_.rank() + all_.size() - 1) % all_.size();
    const stopwatch watch;
    for (std::uint64_t i = 0; i < rounds; ++i) {
      if (all_.rank() == 0) send(token_, bytes_, next);
      receive(token_, bytes_, previous);
      if (all_.rank() != 0) send(token_, bytes_, next);
    }
    return all_.rank() == 0 ? watch.seconds() : 0;
  }

  bool is_right(unsigned seed) override { return holds(token_, bytes_, seed); }
  std::size_t operations_of_round() const override { return all_.size(); }
  std::uint64_t fixed_rounds() const override { return rounds_; }

 private:
  library& all_;
  std::size_t bytes_;
  std::uint64_t rounds_;
  std::byte* token_;
};

}  // namespace

std::unique_ptr<operation> make_two_sided(library& all, const options& o) {
  if (o.operation == "ring") return std::make_unique<message_ring>(all, o);
  if (o.operation.ends_with("-nbi")) return std::make_unique<windows>(all, o);
  return std::make_unique<ping_pong>(all, o);
}

}  // namespace bench::one_sided
