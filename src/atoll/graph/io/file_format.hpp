#pragma once
// What readers ask the name of a file beside its format (graph_files.hpp).

#include "atoll/graph_files.hpp"

#include <optional>
#include <string_view>

namespace atl {

/// As `file_format_of`, or nothing for a name that does not say.
std::optional<file_format> format_in_name(std::string_view path);

/// The ending without its dot, before that of a compression; empty if there is none.
std::string_view ending_of_content(std::string_view path);

}  // namespace atl
