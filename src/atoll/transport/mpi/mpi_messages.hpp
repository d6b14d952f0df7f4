#pragma once
// The messages of an MPI library, as the wire between nodes asks for them.

#include "atoll/transport/far/message_layer.hpp"
#include "atoll/transport/mpi/mpi_api.h"

#include <bit>

namespace atl::transport::mpi {

class mpi_messages final : public far::message_layer {
 public:
  /// `mpi` must outlive it.
  explicit mpi_messages(const atoll_mpi_api& mpi) : mpi_(mpi) {}

  int size() const override { return mpi_.size(); }

  void start_send(const void* data, int bytes, int to, int tag,
                  far::message_request& started) override {
    atoll_mpi_request request{};
    mpi_.start_send(data, bytes, to, tag, &request);
    started = std::bit_cast<far::message_request>(request);
  }

  void start_receive(void* data, int capacity, int tag, far::message_request& started) override {
    atoll_mpi_request request{};
    mpi_.start_receive(data, capacity, tag, &request);
    started = std::bit_cast<far::message_request>(request);
  }

  bool test(far::message_request& request, int* from, int* bytes) override {
    auto tested = std::bit_cast<atoll_mpi_request>(request);
    if (mpi_.test(&tested, from, bytes) == 0) return false;
    request = std::bit_cast<far::message_request>(tested);
    return true;
  }

  void cancel(far::message_request& request) override {
    auto given_up = std::bit_cast<atoll_mpi_request>(request);
    mpi_.cancel(&given_up);
    request = std::bit_cast<far::message_request>(given_up);
  }

  void all_to_all(const void* mine, int bytes, void* all) override {
    mpi_.all_to_all(mine, bytes, all);
  }

 private:
  const atoll_mpi_api& mpi_;
};

}  // namespace atl::transport::mpi
