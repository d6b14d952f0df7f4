#pragma once
// The endpoints of a job in modelled shared memory, and what their PEs do.

#include "atoll/transport/shm/endpoint.hpp"
#include "transport/litmus/explorer.hpp"

#include <memory>
#include <vector>

namespace atl::litmus {

/// Two slots for each pair of PEs.
class model_job {
 public:
  explicit model_job(int pes);

  using body = std::function<void(model_job&)>;

  /// A program in which thread i is PE i, and those after the last PE are beside them. What comes
  /// before the threads is done by `prepare`.
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

/// Sends so many buffers, which are numbered, and waits where there is no room.
void send(transport::endpoint& wire, int to, int buffers,
          transport::awaited what = transport::awaited::room, int first_number = 0);

/// Receives so many, whole and in the order of each sender, and waits for them.
void receive(transport::endpoint& wire, int buffers);

}  // namespace atl::litmus
