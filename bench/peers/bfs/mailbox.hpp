#pragma once
// Sends small items to other processes. Items with the same destination are coalesced until a
// message is full.

#include <mpi.h>

#include <array>
#include <cstdint>
#include <vector>

#include "peers/mpi_session.hpp"

namespace bench::peers {

/// Exchanges items in phases. In a phase, every process sends items, and `take(item)` is called for
/// each item that arrives.
template <class Take>
class mailbox {
 public:
  using item = std::uint64_t;

  mailbox(const mpi_session& all, std::size_t items_a_message, Take take)
      : all_(all), room_(items_a_message), take_(take), out_(static_cast<std::size_t>(all.size)) {
    for (outbox& box : out_)
      for (auto& buffer : box.buffers) buffer.resize(room_);
    for (inbox& box : in_) {
      box.buffer.resize(room_);
      receive(box);
    }
  }
  ~mailbox() {
    for (inbox& box : in_) {
      MPI_Cancel(&box.request);
      MPI_Wait(&box.request, MPI_STATUS_IGNORE);
    }
  }
  mailbox(const mailbox&) = delete;
  mailbox& operator=(const mailbox&) = delete;

  /// Sends an item to another process.
  void send(int to, item one) {
    outbox& box = out_[static_cast<std::size_t>(to)];
    box.buffers[box.filling][box.count++] = one;
    if (box.count == room_) post(box, to);
  }

  /// Takes the items that have arrived.
  void poll() {
    for (int done = 1; done != 0;) {
      // Receive operations for messages of any sender complete in the order in which they were
      // started.
      inbox& box = in_[oldest_];
      MPI_Status status;
      MPI_Test(&box.request, &done, &status);
      if (done == 0) return;
      int count = 0;
      MPI_Get_count(&status, MPI_UINT64_T, &count);
      if (count == 0) ++ended_;
      for (int i = 0; i < count; ++i) take_(box.buffer[static_cast<std::size_t>(i)]);
      receive(box);
      oldest_ = (oldest_ + 1) % in_.size();
    }
  }

  /// Ends a phase. Returns when all items for this process in this phase were taken. Every process
  /// calls this function. No process may begin the next phase before the call has returned on all
  /// processes.
  void end_phase() {
    for (int to = 0; to < all_.size; ++to) {
      outbox& box = out_[static_cast<std::size_t>(to)];
      if (to == all_.rank) continue;
      if (box.count != 0) post(box, to);
      post(box, to);  // an empty message ends the phase
    }
    while (ended_ < all_.size - 1) poll();
    ended_ = 0;
    for (outbox& box : out_) MPI_Waitall(2, box.requests.data(), MPI_STATUSES_IGNORE);
  }

 private:
  static constexpr int tag = 1;
  static constexpr std::size_t receives = 8;

  struct outbox {
    std::array<std::vector<item>, 2> buffers;
    std::array<MPI_Request, 2> requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    std::size_t filling = 0, count = 0;
  };
  struct inbox {
    std::vector<item> buffer;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void receive(inbox& box) {
    MPI_Irecv(box.buffer.data(), static_cast<int>(room_), MPI_UINT64_T, MPI_ANY_SOURCE, tag,
              MPI_COMM_WORLD, &box.request);
  }

  /// Sends the full buffer, and waits until the other buffer can be used again.
  void post(outbox& box, int to) {
    MPI_Isend(box.buffers[box.filling].data(), static_cast<int>(box.count), MPI_UINT64_T, to, tag,
              MPI_COMM_WORLD, &box.requests[box.filling]);
    box.filling ^= 1;
    box.count = 0;
    for (int done = 0;;) {
      MPI_Test(&box.requests[box.filling], &done, MPI_STATUS_IGNORE);
      if (done != 0) return;
      poll();
    }
  }

  const mpi_session& all_;
  std::size_t room_;
  Take take_;
  std::vector<outbox> out_;
  std::array<inbox, receives> in_;
  std::size_t oldest_ = 0;
  int ended_ = 0;  // number of processes that have ended the phase
};

}  // namespace bench::peers
