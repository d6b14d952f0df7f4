#include "atoll/graph/io/read_edges.hpp"

#include "atoll/graph/edge_statistics.hpp"
#include "atoll/graph/io/both_ends.hpp"
#include "atoll/graph/io/edge_reader.hpp"
#include "atoll/graph/io/remarks.hpp"

#include <utility>

namespace atl {
namespace {

/// What can be done once all parts were read, and this is all.
void complete(edge_list& list) {
  agree_on_names(list, list.uses_names);
  if (list.found.one_way != 0) throw graph::find_one_way(list.origin);
  if (list.declared) check_size(*list.declared, list.size());
  graph::add_remarks(list.remarks, {list.count(), list.uneven_lines, list.words}, list.first_uneven,
                     list.first_word);
  if (list.ids_as_written && least_vertex_of(list.edges) == 1)
    list.remarks.push_back(graph::remark_on_first_id(list.origin.path));
}

}  // namespace

edge_list read_edges(const std::string& path, std::uint64_t part, std::uint64_t parts,
                     const read_options& options) {
  edge_reader reader({path, part, parts, options});
  while (reader.read_some()) {
  }
  auto list = std::move(reader).take();
  if (parts == 1) complete(list);
  return list;
}

edge_list read_edges(const std::string& path, const std::function<void(double)>& show_progress,
                     const read_options& options) {
  edge_reader reader({path, 0, 1, options});
  while (reader.read_some()) show_progress(reader.progress());
  auto list = std::move(reader).take();
  complete(list);
  return list;
}

void agree_on_names(edge_list& list, bool any_uses_names) {
  if (list.uses_names) return;
  if (any_uses_names) {
    const auto origin = std::exchange(list, {}).origin;
    auto options = origin.options;
    options.all_names = true;
    list = read_edges(origin.path, origin.part, origin.parts, options);
  } else if (list.deferred) {
    throw *list.deferred;
  }
}

}  // namespace atl
