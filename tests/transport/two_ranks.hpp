#pragma once
// A network of two ranks, made of a few queues in memory. A test decides which messages arrive, and
// when.

#include "atoll/transport/internode/message_layer.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace atl::transport::internode {

/// The messages between the two ranks, sorted by rank and tag.
struct two_ranks {
  struct message {
    int from;
    std::vector<std::byte> bytes;
  };
  std::map<std::pair<int, int>, std::deque<message>> under_way;
  std::set<int> held;  ///< Messages with a held tag do not arrive until the test removes the tag.
};

class two_ranks_port final : public message_layer {
 public:
  two_ranks_port(two_ranks& network, int rank, std::size_t most_receives = 64)
      : network_(network), rank_(rank), most_receives_(most_receives) {}

  int size() const override { return 2; }
  std::size_t most_receives() const override { return most_receives_; }

  void start_send(const void* data, int bytes, int to, int tag, message_request&) override {
    const auto* const first = static_cast<const std::byte*>(data);
    network_.under_way[{to, tag}].push_back({rank_, {first, first + bytes}});
  }

  void start_receive(void* data, int, int, int tag, message_request& started) override {
    receives_.push_back({data, tag});
    started.words[0] = receives_.size();
  }

  bool test(message_request& request, int* from, int* bytes) override {
    if (request.words[0] == 0) return true;
    const auto& [data, tag] = receives_[request.words[0] - 1];
    auto& arrived = network_.under_way[{rank_, tag}];
    if (arrived.empty() || network_.held.contains(tag)) return false;
    if (from != nullptr) *from = arrived.front().from;
    if (bytes != nullptr) *bytes = static_cast<int>(arrived.front().bytes.size());
    std::memcpy(data, arrived.front().bytes.data(), arrived.front().bytes.size());
    arrived.pop_front();
    return true;
  }

  void cancel(message_request&) override {}
  void all_to_all(const void*, int, void*) override {}

  /// Returns how many receives with this tag have ever been started.
  auto posted(int tag) const {
    return std::ranges::count_if(receives_, [tag](const auto& each) { return each.second == tag; });
  }

 private:
  two_ranks& network_;
  int rank_;
  std::size_t most_receives_;
  std::vector<std::pair<void*, int>> receives_;  // the memory and the tag of each receive
};

}  // namespace atl::transport::internode
