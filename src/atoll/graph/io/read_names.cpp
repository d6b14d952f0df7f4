#include "atoll/graph/io/read_names.hpp"

#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/name_text.hpp"

namespace atoll {

void for_each_name(const std::string& path,
                   const std::function<void(std::uint64_t, std::string_view)>& visit) {
  const graph::input_file file(path);
  graph::line_blocks blocks(file, compression_of(path), {.path = path});
  std::uint64_t vertex = 0;
  for (auto text = blocks.next(); !text.empty(); text = blocks.next()) {
    const char* end = text.data() + text.size();
    for (const char* begin = text.data(); begin != end; ++vertex) {
      const char* next = graph::next_line(begin);
      const auto name = graph::without_end_of_line(begin, next);
      const auto fault = graph::fault_of_name(name);
      if (!fault.complaint.empty()) throw blocks.error_at(begin + fault.position, fault.complaint);
      visit(vertex, name);
      begin = next;
    }
  }
}

std::vector<std::string> read_names(const std::string& path) {
  std::vector<std::string> names;
  for_each_name(path, [&](std::uint64_t, std::string_view name) { names.emplace_back(name); });
  return names;
}

}  // namespace atoll
