#pragma once
// What is under way between PEs and the memory of others, in a simulated job: steps that happen at
// times of their own, whatever the PEs do.

#include "atoll/transport/sim/timing.hpp"

#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace atl::transport::sim {

class memory_traffic {
 public:
  using action = std::function<void(nanoseconds time)>;

  /// `what` happens at `time`.
  void at(nanoseconds time, action what) { steps_.push({time, made_++, std::move(what)}); }

  /// The number of a shipment that `arrived` will be told of, and that lets `what` happen.
  std::uint64_t travels(action what) {
    shipped_.emplace(first_shipment + made_, std::move(what));
    return first_shipment + made_++;
  }
  static bool carries(std::uint64_t shipment) { return shipment >= first_shipment; }
  void arrived(std::uint64_t shipment, nanoseconds time) {
    auto found = shipped_.extract(shipment);
    at(time, std::move(found.mapped()));
  }

  nanoseconds next_step() const { return steps_.empty() ? forever : steps_.top().time; }
  void take_step() {
    const step next = std::move(const_cast<step&>(steps_.top()));
    steps_.pop();
    next.what(next.time);
  }

 private:
  static constexpr std::uint64_t first_shipment = std::uint64_t{1} << 62;  // beyond those of mail

  struct step {
    nanoseconds time;
    std::uint64_t number;  // equal times go in the order they were made
    action what;

    friend bool operator>(const step& a, const step& b) {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };

  std::priority_queue<step, std::vector<step>, std::greater<>> steps_;
  std::unordered_map<std::uint64_t, action> shipped_;
  std::uint64_t made_ = 0;
};

}  // namespace atl::transport::sim
