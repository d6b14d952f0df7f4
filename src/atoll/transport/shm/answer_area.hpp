#pragma once
// Where a PE writes who waits where on it, for the PE that asked.

#include "atoll/observe/who_waits.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace atl::transport::shm {

/// Written by its PE; read by whoever asked, when the PE has said that the answer is complete.
class answer_area {
 public:
  /// Findings that have no place are counted; those that come in large numbers are written first.
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

}  // namespace atl::transport::shm
