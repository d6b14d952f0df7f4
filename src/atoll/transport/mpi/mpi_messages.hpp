#pragma once
// The message layer that calls an MPI library. A message layer sends two-sided messages between
// nodes (internode/message_layer.hpp).

#include "atoll/transport/internode/message_layer.hpp"
#include "atoll/transport/mpi/mpi_api.h"

#include <array>
#include <bit>
#include <mutex>

namespace atl::transport::mpi {

class mpi_messages final : public internode::message_layer {
 public:
  /// Makes a message layer from the table `mpi` of an MPI plug-in. The table must outlive this
  /// object.
  explicit mpi_messages(const atoll_mpi_api& mpi) : mpi_(mpi) {}

  /// Allows a second thread of the process to use this object, too. The caller must call this
  /// function before the second thread starts.
  void share() { shared_ = true; }

  int size() const override { return mpi_.size(); }

  void start_send(const void* data, int bytes, int to, int tag,
                  internode::message_request& started) override {
    alone(
        [&](atoll_mpi_request& request) {
          mpi_.start_send(data, bytes, to, tag, &request);
          return true;
        },
        started);
  }

  void start_receive(void* data, int capacity, int from, int tag,
                     internode::message_request& started) override {
    alone(
        [&](atoll_mpi_request& request) {
          mpi_.start_receive(data, capacity, from, tag, &request);
          return true;
        },
        started);
  }

  bool test(internode::message_request& request, int* from, int* bytes) override {
    return alone([&](atoll_mpi_request& of) { return mpi_.test(&of, from, bytes) != 0; }, request);
  }

  int test_any(std::span<internode::message_request* const> requests, int* from,
               int* bytes) override {
    static_assert(sizeof(internode::message_request) == sizeof(atoll_mpi_request));
    std::array<atoll_mpi_request, ATOLL_MPI_MOST_TESTED> changed;
    std::array<atoll_mpi_request*, ATOLL_MPI_MOST_TESTED> tested;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      changed[i] = std::bit_cast<atoll_mpi_request>(*requests[i]);
      tested[i] = &changed[i];
    }
    std::unique_lock lock(mutex_, std::defer_lock);
    if (shared_) lock.lock();
    const int which = mpi_.test_any(tested.data(), static_cast<int>(requests.size()), from, bytes);
    if (which < 0) return which;
    const auto found = static_cast<std::size_t>(which);
    *requests[found] = std::bit_cast<internode::message_request>(changed[found]);
    return which;
  }

  void cancel(internode::message_request& request) override {
    alone(
        [&](atoll_mpi_request& of) {
          mpi_.cancel(&of);
          return true;
        },
        request);
  }

  void all_to_all(const void* mine, int bytes, void* all) override {
    mpi_.all_to_all(mine, bytes, all);
  }

 private:
  /// Executes `call` with a copy of `request`. If two threads share this object, a lock is held
  /// during the call. If `call` returns true, the changed copy is stored in `request`.
  template <class Call>
  bool alone(const Call& call, internode::message_request& request) {
    auto changed = std::bit_cast<atoll_mpi_request>(request);
    std::unique_lock lock(mutex_, std::defer_lock);
    if (shared_) lock.lock();
    const bool is_changed = call(changed);
    if (is_changed) request = std::bit_cast<internode::message_request>(changed);
    return is_changed;
  }

  const atoll_mpi_api& mpi_;
  std::mutex mutex_;
  bool shared_ = false;  // true if two threads use this object
};

}  // namespace atl::transport::mpi
