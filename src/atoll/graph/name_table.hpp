#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace atl::graph {

/// Names by number, packed: no allocation and 8 bytes beside the text for each.
class name_table {
 public:
  void add(std::string_view name) {
    text_.insert(text_.end(), name.begin(), name.end());
    ends_.push_back(text_.size());
  }

  std::uint64_t size() const { return ends_.size(); }

  /// Valid until the next `add`.
  std::string_view operator[](std::uint64_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return {text_.data() + begin, ends_[i] - begin};
  }

 private:
  std::vector<char> text_;
  std::vector<std::uint64_t> ends_;
};

}  // namespace atl::graph
