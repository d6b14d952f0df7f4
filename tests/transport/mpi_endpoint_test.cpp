// Tests the endpoint of one PE in a job on several nodes. The PE shares its node with one other PE.
// The network delivers nothing.

#include "atoll/transport/mpi/endpoint.hpp"
#include "job/jobs.hpp"

#include <atomic>
#include <thread>

namespace atl::transport {
namespace {

constexpr nanoseconds much_longer_than_a_round = 20'000'000'000;
constexpr int neighbours = 2;

thread_local int rank_of_thread = 0;

/// Returns an MPI library that accepts all messages and delivers no message, as if rank 2 on
/// another node were busy.
atoll_mpi_api silent_network() {
  atoll_mpi_api api{};
  api.rank = [] { return rank_of_thread; };
  api.size = [] { return neighbours + 1; };
  api.start_send = [](const void*, int, int, int, atoll_mpi_request* started) {
    started->words[0] = 0;
  };
  api.start_receive = [](void*, int, int, int, atoll_mpi_request* started) {
    started->words[0] = 1;
  };
  api.test = [](atoll_mpi_request* request, int*, int*) { return request->words[0] == 0 ? 1 : 0; };
  api.test_any = [](atoll_mpi_request* const*, int, int*, int*) { return -1; };
  api.cancel = [](atoll_mpi_request*) {};
  return api;
}

settings two_buffers() {
  settings options;
  options.buffers_per_pair = 2;
  options.hang_timeout = 0;
  options.idle_yields = 0;
  return options;
}

class mpi_endpoint : public testing::Test {
 protected:
  /// Runs `body` as PE `rank` of node 0.
  void as_rank(int rank, const auto& body) {
    rank_of_thread = rank;
    const internode::node_map nodes = internode::nodes_of({0, 0, 1}, {0, 0, 1}, rank, 0);
    std::atomic<std::uint64_t> last_site{0};
    mpi::endpoint wire(network_, node_, nodes, {last_site, [](int) {}}, options_, false,
                       node_.symmetric().shares());
    body(wire);
  }

  const settings options_ = two_buffers();
  const atoll_mpi_api network_ = silent_network();
  shm::region node_{neighbours, options_};
};

void spin(endpoint& wire, nanoseconds time) {
  const nanoseconds end = wire.now() + time;
  while (wire.now() < end) {
  }
}

// The receiver returns room at random times: while the sender sleeps, while it wakes up, or between
// two sleeps. The sender must notice each return.
TEST_F(mpi_endpoint, overlooks_no_room_that_a_neighbour_returns) {
  constexpr int rounds = sanitized ? 2'000 : 10'000;
  std::atomic<bool> done{false};
  std::thread receiver([&] {
    as_rank(1, [&](endpoint& wire) {
      for (nanoseconds round = 0; !done; ++round) {
        spin(wire, round * 7919 % 100'000);
        if (wire.poll().data != nullptr) wire.release();
      }
    });
  });
  int overlooked = 0;
  as_rank(0, [&](endpoint& wire) {
    for (int round = 0; round < rounds && overlooked == 0; ++round) {
      while (wire.acquire(1) != nullptr) wire.submit(1, 8);
      const nanoseconds deadline = wire.now() + much_longer_than_a_round;
      wire.wait(deadline, awaited::room);
      overlooked += wire.now() >= deadline ? 1 : 0;
    }
  });
  done = true;
  receiver.join();
  EXPECT_EQ(overlooked, 0);
}

}  // namespace
}  // namespace atl::transport
