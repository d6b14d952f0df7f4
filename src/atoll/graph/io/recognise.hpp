#pragma once
// What a file of edges holds, as its first bytes and its name say it.

#include "atoll/graph/io/file_part.hpp"

#include <string>

namespace atl {

/// The format to read a file in: that of `how`, if it has one. Otherwise the name tells it. The
/// first bytes decide for a .txt, and for a name that leaves the format open. A `.graph` is a
/// BVGraph beside its properties, else METIS. Reads some kilobytes. Any process. Throws `error`
/// (input) where neither tells, where name and content contradict each other, and for a file that
/// cannot be opened.
file_format recognised_format(const std::string& path, const read_options& how = {});

/// The format with the compression that the first bytes tell, where its name says nothing of it.
/// Throws `error` (input) for a file that cannot be opened.
file_format format_as_packed(const std::string& path, edge_format edges,
                             const read_options& how = {});

}  // namespace atl
