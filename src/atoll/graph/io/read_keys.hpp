#pragma once
// Keys from a file: an array of NumPy of one dimension, or a text with an integer in each line,
// which may be compressed. What it is, its first bytes say. In a text, blank lines and those that
// begin with # are passed over.

#include "atoll/graph/io/file_part.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace atl {

/// Is told how much of the part was read, 0 to 1.
using reading_progress = std::function<void(double)>;

/// The keys of a part, in the order of the file; all parts one after another are the file. Throws
/// `error` (input): "FILE:LINE:COLUMN: sentence" for what is no integer from 0 to 2^64 - 1.
std::vector<std::uint64_t> read_keys(const file_part& which,
                                     const reading_progress& progress = nullptr);

}  // namespace atl
