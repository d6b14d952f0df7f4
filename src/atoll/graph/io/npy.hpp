#pragma once
// Arrays of 64-bit integers, or of doubles, as NumPy reads them (format 1.0).

#include <cstdint>
#include <string>

namespace atl::graph {

/// What stands before the elements, row by row, of `rows` by `columns`; a single column is an array
/// of one dimension. `real`: the elements are doubles.
std::string npy_head(std::uint64_t rows, std::size_t columns, bool real = false);

/// Appends an element, or the bits of a double.
void append_npy(std::string& bytes, std::int64_t element);

}  // namespace atl::graph
