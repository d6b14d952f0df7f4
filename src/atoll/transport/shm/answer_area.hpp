#pragma once
// Where a PE writes who waits where on it, for the PE that asked.

#include "atoll/observe/who_waits.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace atoll::transport::shm {

/// Written by its PE, read by the one who asked when the PE has said that it is complete.
class answer_area {
 public:
  /// What has no place is counted; what comes in large numbers has the first.
  void write(std::vector<observe::finding> findings);
  observe::pe_answer read(int pe) const;

 private:
  /// A finding whose sites are words that mean the same in every PE.
  struct record {
    observe::fact what;
    std::uint64_t where;
    std::uint64_t spawned;
    std::uint64_t count;
    std::uint64_t number;
  };
  static constexpr std::size_t capacity = 400;

  std::uint64_t size_;
  std::uint64_t left_out_;
  std::array<record, capacity> records_;
};

}  // namespace atoll::transport::shm
