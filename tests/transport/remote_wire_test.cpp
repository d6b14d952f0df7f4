// The wire between nodes, over a network that is two queues in memory.

#include "atoll/transport/mpi/remote_wire.hpp"
#include "job/jobs.hpp"

#include <cstring>
#include <deque>
#include <map>
#include <optional>

namespace atl::transport::mpi {
namespace {

/// An MPI of two ranks in one thread; `rank` is whose turn it is.
struct queues {
  struct message {
    int from;
    std::vector<std::byte> bytes;
  };

  static inline int rank = 0;
  static inline std::map<std::pair<int, int>, std::deque<message>> under_way;  // by rank and tag
  static inline std::map<std::uint64_t, std::pair<void*, int>> receives;       // memory and tag

  static void start_send(const void* data, int bytes, int to, int tag, atoll_mpi_request* started) {
    const auto* const first = static_cast<const std::byte*>(data);
    under_way[{to, tag}].push_back({rank, {first, first + bytes}});
    started->words[0] = 0;
  }

  static void start_receive(void* data, int, int tag, atoll_mpi_request* started) {
    static std::uint64_t last = 0;
    started->words[0] = ++last;
    receives[last] = {data, tag};
  }

  static int test(atoll_mpi_request* request, int* from, int* bytes) {
    if (request->words[0] == 0) return 1;
    const auto& [data, tag] = receives[request->words[0]];
    auto& arrived = under_way[{rank, tag}];
    if (arrived.empty()) return 0;
    *from = arrived.front().from;
    *bytes = static_cast<int>(arrived.front().bytes.size());
    std::memcpy(data, arrived.front().bytes.data(), arrived.front().bytes.size());
    arrived.pop_front();
    return 1;
  }

  static atoll_mpi_api api() {
    under_way.clear();
    receives.clear();
    atoll_mpi_api table{};
    table.rank = [] { return rank; };
    table.size = [] { return 2; };
    table.start_send = start_send;
    table.start_receive = start_receive;
    table.test = test;
    table.cancel = [](atoll_mpi_request*) {};
    return table;
  }
};

class between_nodes : public testing::Test {
 protected:
  static settings buffers(std::uint64_t a_pair) {
    settings options;
    options.buffers_per_pair = a_pair;
    return options;
  }

  explicit between_nodes(std::uint64_t a_pair = 3)
      : sender_(api_, 1, 1024, buffers(a_pair)), receiver_(api_, 1, 1024, buffers(a_pair)) {}

  remote_wire& sender() {
    queues::rank = 0;
    return sender_;
  }
  remote_wire& receiver() {
    queues::rank = 1;
    return receiver_;
  }

  bool send(std::uint64_t number) {
    std::byte* const buffer = sender().acquire(1);
    if (buffer == nullptr) return false;
    std::memcpy(buffer, &number, sizeof number);
    sender().submit(1, sizeof number);
    return true;
  }

  std::optional<std::uint64_t> take() {
    const delivery arrived = receiver().poll();
    if (arrived.data == nullptr) return std::nullopt;
    std::uint64_t number = 0;
    std::memcpy(&number, arrived.data, sizeof number);
    receiver().release();
    return number;
  }

  /// As the watch over hangs sees it.
  bool something_is_under_way() {
    return sender_.sent() + receiver_.sent() != sender_.received() + receiver_.received();
  }

  const atoll_mpi_api api_ = queues::api();
  remote_wire sender_;
  remote_wire receiver_;
};

TEST_F(between_nodes, buffers_keep_their_order_while_credits_come_and_go) {
  std::uint64_t sent = 0;
  std::uint64_t taken = 0;
  while (taken < 1000) {
    while (sent < 1000 && send(sent)) ++sent;
    for (std::uint64_t most = 1 + sent % 4; most > 0; --most) {
      const auto number = take();
      if (!number) break;
      ASSERT_EQ(*number, taken++);
    }
    sender().progress();
    sender().forget_room();
    ASSERT_LE(sent - taken, 3u);
  }
  EXPECT_FALSE(take());
  sender().progress();
  EXPECT_FALSE(something_is_under_way());
}

TEST_F(between_nodes, credits_under_way_are_something_under_way) {
  while (send(0)) {
  }
  EXPECT_TRUE(something_is_under_way());
  while (take()) {
  }
  EXPECT_TRUE(something_is_under_way()) << "the sender has not seen its credits";
  EXPECT_FALSE(sender().has_new_room());
  sender().poll();
  EXPECT_FALSE(something_is_under_way());
  EXPECT_TRUE(sender().has_new_room()) << "it was refused, and has not been told";
  sender().progress();
  EXPECT_TRUE(sender().something_arrived(awaited::room));
  sender().forget_room();
  EXPECT_FALSE(sender().has_new_room());
  EXPECT_TRUE(send(0));
}

// The watch over hangs lets MPI work while it waits for answers.
TEST_F(between_nodes, returned_room_is_told_however_often_others_let_mpi_work) {
  while (send(0)) {
  }
  while (take()) {
  }
  for (int i = 0; i < 10; ++i) sender().progress();
  EXPECT_TRUE(sender().something_arrived(awaited::room));
  EXPECT_TRUE(sender().something_arrived(awaited::room));
  sender().forget_room();
  EXPECT_FALSE(sender().something_arrived(awaited::room));
}

}  // namespace
}  // namespace atl::transport::mpi
