#include "atoll/graph/io/bvgraph/files.hpp"

namespace atl::graph::bvgraph {

files::files(std::string_view name) {
  constexpr std::string_view ending = ".graph";
  if (name.ends_with(ending)) name.remove_suffix(ending.size());
  const std::string base(name);
  graph = base + ".graph";
  properties = base + ".properties";
  offsets = base + ".offsets";
}

}  // namespace atl::graph::bvgraph
