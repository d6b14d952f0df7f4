#pragma once
// NumPy files with arrays of integers or doubles. Files are written in format 1.0 and read in any
// format.

#include "atoll/graph/io/byte_streams.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace atl::graph {

/// Returns the head of an array of `rows` by `columns` elements, which are stored row by row. An
/// array with one column has one dimension. `type` is the type of an element, as NumPy calls it.
std::string npy_head(std::uint64_t rows, std::size_t columns, std::string_view type = "<i8");

/// Appends an element to `bytes`. For a double, the caller passes its bits as an integer.
void append_npy(std::string& bytes, std::int64_t element);

/// An array of one dimension in a file.
struct npy_array {
  std::uint64_t elements = 0;
  std::uint64_t element_bytes = 0;  ///< bytes per element: 4 or 8
  bool is_signed = false;
  std::uint64_t offset = 0;  ///< offset of the first element in the file
};

/// Returns true if the file begins like an array of NumPy.
bool is_npy(const input_file& file);

/// Reads the head of an array. Throws `error` (input) if the array does not have one dimension, or
/// if its elements are not little-endian integers of 4 or 8 bytes. The file must end after the last
/// element.
npy_array read_npy_head(const input_file& file);

}  // namespace atl::graph
