#pragma once
// The endpoints of a job in modelled shared memory, and the actions of its PEs.

#include "atoll/transport/shm/endpoint.hpp"
#include "transport/litmus/explorer.hpp"

#include <memory>
#include <vector>

namespace atl::litmus {

/// A job with two slots for each pair of PEs.
class model_job {
 public:
  explicit model_job(int pes);

  using body = std::function<void(model_job&)>;

  /// Returns a program in which thread i is PE i. Threads after the last PE are no PEs. `prepare`
  /// runs before the threads.
  program program_of(std::vector<body> bodies, body prepare = [](model_job&) {});

  transport::shm::region& region() { return region_; }
  transport::endpoint& wire(int pe) { return *wires_[static_cast<std::size_t>(pe)]; }
  transport::shm::endpoint& shm_wire(int pe) { return *wires_[static_cast<std::size_t>(pe)]; }

 private:
  void name_all();
  void begin();

  transport::shm::region region_;
  std::vector<std::unique_ptr<transport::shm::endpoint>> wires_;
};

/// Sends `buffers` numbered buffers, and waits if there is no room.
void send(transport::endpoint& wire, int to, int buffers,
          transport::awaited what = transport::awaited::room, int first_number = 0);

/// Waits for `buffers` buffers and receives them, whole and in the order of each sender.
void receive(transport::endpoint& wire, int buffers);

}  // namespace atl::litmus
