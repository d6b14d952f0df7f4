#pragma once
// Arrays of 64-bit integers as NumPy reads them (format 1.0).

#include <cstdint>
#include <string>

namespace atl::graph {

/// What stands before the elements, row by row, of `rows` by `columns`; a single column is an array
/// of one dimension.
std::string npy_head(std::uint64_t rows, std::size_t columns);

/// Appends an element.
void append_npy(std::string& bytes, std::int64_t element);

}  // namespace atl::graph
