#include "atoll/graph/io/read_names.hpp"

#include "atoll/graph/io/field.hpp"

namespace atl {

name_reader::name_reader(const std::string& path, const std::string& content)
    : file_(path, content), blocks_(file_, compression_of(path), {.path = path}) {}

bool name_reader::read_some(const name_visitor& visit) {
  const auto text = blocks_.next();
  const char* end = text.data() + text.size();
  for (const char* begin = text.data(); begin != end; ++vertex_) {
    const char* next = graph::next_line(begin);
    const auto name = graph::without_end_of_line(begin, next);
    const auto fault = graph::fault_of_name(name);
    if (!fault.complaint.empty()) throw blocks_.error_at(begin + fault.position, fault.complaint);
    visit(vertex_, name);
    begin = next;
  }
  return !text.empty();
}

void for_each_name(const std::string& path, const name_visitor& visit) {
  name_reader reader(path);
  while (reader.read_some(visit)) {
  }
}

std::vector<std::string> read_names(const std::string& path, const std::string& content) {
  std::vector<std::string> names;
  name_reader reader(path, content);
  const auto keep = [&](std::uint64_t, std::string_view name) { names.emplace_back(name); };
  while (reader.read_some(keep)) {
  }
  return names;
}

}  // namespace atl
