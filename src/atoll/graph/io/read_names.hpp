#pragma once
// Names of vertices from a file of their own: line i, from 0 on, names vertex i. The file may be
// compressed; a blank line is a vertex without a name.

#include "atoll/base/namespace.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace atoll {

/// Calls `visit(vertex, name)` for every line, so that a PE can keep the names of its vertices
/// only. Throws `error` (input) "FILE:LINE:COLUMN: sentence" for what it cannot read.
void for_each_name(const std::string& path,
                   const std::function<void(std::uint64_t, std::string_view)>& visit);

/// All names, at the index of their vertex. Throws as `for_each_name` does.
std::vector<std::string> read_names(const std::string& path);

}  // namespace atoll
