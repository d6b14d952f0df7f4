#pragma once
// The endpoints of a job in modelled shared memory, and functions that its PEs run.

#include "atoll/transport/shm/endpoint.hpp"
#include "transport/litmus/explorer.hpp"

#include <memory>
#include <vector>

namespace atl::litmus {

/// A job that has two buffers for each pair of PEs.
class model_job {
 public:
  explicit model_job(int pes);

  using body = std::function<void(model_job&)>;

  /// Returns a program in which thread i runs as PE i. Threads beyond the last PE do not belong to
  /// a PE. `prepare` runs before the threads begin.
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

/// Sends `buffers` numbered buffers, and waits whenever there is no room.
void send(transport::endpoint& wire, int to, int buffers,
          transport::awaited what = transport::awaited::room, int first_number = 0);

/// Waits for `buffers` buffers and checks them. Each buffer must be complete, and the buffers of
/// each sender must arrive in order.
void receive(transport::endpoint& wire, int buffers);

}  // namespace atl::litmus
