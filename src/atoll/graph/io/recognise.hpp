#pragma once
// What a file of edges holds, as its first bytes and its name say it.

#include "atoll/graph/io/file_format.hpp"

#include <string>

namespace atl {

/// The format to read a file in. Where the first bytes tell the format, they decide for a .txt and
/// for a name that does not say; a `.graph` is a BVGraph beside its properties, else METIS. Reads
/// some kilobytes. Any process. Throws `error` (input) where neither tells, where name and content
/// contradict each other, and for a file that cannot be opened.
file_format recognised_format(const std::string& path);

}  // namespace atl
