#include "atoll/graph/io/name_text.hpp"

#include <algorithm>

namespace atl::graph {

name_fault fault_of_name(std::string_view name) {
  if (name.size() > longest_name) return {0, "the name is longer than 65535 bytes"};
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  const auto found = std::ranges::find_if(name, is_control);
  if (found == name.end()) return {};
  return {static_cast<std::size_t>(found - name.begin()),
          "the name holds a control character: is the file text?"};
}

}  // namespace atl::graph
