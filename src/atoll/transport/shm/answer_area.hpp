#pragma once
// Where a PE writes who waits where on it, for the PE that asked.

#include "atoll/observe/who_waits.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace atl::transport::shm {

/// Written by its PE, in which a zero byte ends each text; read by whoever asked, when the PE has
/// said that the answer is complete.
class answer_area {
 public:
  /// Findings that have no place are counted; those that come in large numbers are written first.
  void write(std::vector<observe::finding> findings);
  observe::pe_answer read(int pe) const;

 private:
  /// A finding whose places are texts: who asks may be another program, as oshrun is. They begin at
  /// an offset in `text_`; 0 is none.
  struct record {
    observe::fact what;
    std::uint16_t place;
    std::uint16_t origin;
    std::uint64_t count;
    std::uint64_t number;
  };
  static constexpr std::size_t capacity = 400;
  static constexpr std::size_t text_bytes = 6000;

  std::uint64_t size_;
  std::uint64_t left_out_;
  std::array<record, capacity> records_;
  std::array<char, text_bytes> text_;
};

}  // namespace atl::transport::shm
