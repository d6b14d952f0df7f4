#pragma once
// The messages that are under way between nodes.

#include "atoll/transport/sim/buffer_pool.hpp"

#include <unordered_map>
#include <utility>

namespace atl::transport::sim {

class mail {
 public:
  struct message {
    buffer content;
    int tag;
  };

  /// Returns its number; a later one has a higher number.
  std::uint64_t post(buffer content, int tag) {
    under_way_.emplace(posted_, message{std::move(content), tag});
    return posted_++;
  }

  int tag_of(std::uint64_t number) const { return under_way_.at(number).tag; }

  message take(std::uint64_t number) {
    const auto found = under_way_.find(number);
    message taken = std::move(found->second);
    under_way_.erase(found);
    return taken;
  }

 private:
  std::unordered_map<std::uint64_t, message> under_way_;
  std::uint64_t posted_ = 0;
};

}  // namespace atl::transport::sim
