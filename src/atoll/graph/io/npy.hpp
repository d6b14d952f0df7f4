#pragma once
// Arrays of integers in the files of NumPy, and of doubles: written in format 1.0, read in any.

#include "atoll/graph/io/byte_streams.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace atl::graph {

/// What stands before the elements, row by row, of `rows` by `columns`; a single column is an array
/// of one dimension. `type` is that of an element, as NumPy names it.
std::string npy_head(std::uint64_t rows, std::size_t columns, std::string_view type = "<i8");

/// Appends an element, or the bits of a double.
void append_npy(std::string& bytes, std::int64_t element);

/// An array of one dimension in a file.
struct npy_array {
  std::uint64_t elements = 0;
  std::uint64_t element_bytes = 0;  ///< 4 or 8
  bool is_signed = false;
  std::uint64_t offset = 0;  ///< in the file, of the first element
};

/// Whether the file is an array of NumPy, by how it begins.
bool is_npy(const input_file& file);

/// Throws `error` (input) unless it is an array of one dimension, of integers of 4 or 8 bytes that
/// begin with their lowest, and the file has all of them and nothing behind them.
npy_array read_npy_head(const input_file& file);

}  // namespace atl::graph
