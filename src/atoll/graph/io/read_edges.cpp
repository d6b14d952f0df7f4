#include "atoll/graph/io/read_edges.hpp"

#include "atoll/graph/io/el.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/tsv.hpp"

#include <new>
#include <utility>

namespace atoll {
namespace {

using graph::input_file;
using graph::line_blocks;

void read_tsv(const input_file& file, compression packing, edge_list& list) {
  const file_part origin = list.origin;
  if (!origin.options.all_names) {
    line_blocks blocks(file, packing, origin);
    if (read_tsv_numbers(blocks, list)) return;
    list = edge_list();
    list.origin = origin;
  }
  line_blocks blocks(file, packing, origin);
  read_tsv_names(blocks, list);
}

edge_list read_part(const file_part& origin) {
  edge_list list;
  list.origin = origin;
  const auto& given = origin.options.format;
  const auto format = given ? *given : file_format_of(origin.path);
  const input_file file(origin.path);
  if (format.edges == edge_format::tsv) {
    read_tsv(file, format.packing, list);
  } else {
    line_blocks blocks(file, format.packing, origin);
    read_el(blocks, format.edges == edge_format::wel, list);
  }
  return list;
}

}  // namespace

edge_list read_edges(const std::string& path, std::uint64_t part, std::uint64_t parts,
                     const read_options& options) {
  try {
    auto list = read_part({path, part, parts, options});
    if (parts == 1) agree_on_names(list, list.uses_names);
    return list;
  } catch (const std::bad_alloc&) {
    fail(errc::out_of_memory, "{}: its edges do not fit into memory", path);
  }
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

}  // namespace atoll
