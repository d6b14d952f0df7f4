#pragma once
// Weights in files, by one rule for all formats. Commands that need no weights accept any number.
// Other commands need integers of 64 bits, in digits or as 3.0 or 1e3. Some also accept real
// numbers (`input_form::real_weights`).

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/line_blocks.hpp"

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

namespace atl::graph {

/// The meaning of a field.
struct weight_text {
  enum kind : std::uint8_t {
    integer,     ///< `value`
    too_large,   ///< an integer beyond 64 bits
    fraction,    ///< another number: 0.5, nan, inf
    with_comma,  ///< 0,5: it is unclear whether 1,000 is 1 or 1000
    other        ///< no number
  };
  kind is = other;
  std::int64_t value = 0;
};

/// Parses a whole field.
weight_text read_weight_text(std::string_view field);

/// Drops all weights of the list, because weights of a file are all kept or all dropped. The first
/// reason counts.
void lose_weights(edge_list& list, const error& reason);

/// Returns the weight in a field of the present block. For a number that is not an integer the
/// result is 0, and the list loses its weights. Throws `error` (input) if the field is not a
/// number.
std::int64_t read_weight(const line_blocks& blocks, std::string_view field, edge_list& list);

/// Returns the double nearest to a number in a field. Returns nothing for text without a number,
/// and for numbers that are not finite or do not fit a double.
std::optional<double> read_real_weight(std::string_view field);

/// Adds an integer weight, unless the list has lost its weights.
inline void add_weight(std::int64_t weight, edge_list& list) {
  if (!list.weights_fault) [[likely]]
    list.weights.push_back(weight);
  else if (list.weights_are_real)
    list.weights.push_back(std::bit_cast<std::int64_t>(static_cast<double>(weight)));
}

/// Keeps the place of the first weight below 0, if real weights are read.
void keep_negative(const line_blocks& blocks, std::string_view field, edge_list& list);

/// Adds the weight in a field of the present block. A number that is no integer makes the weights
/// of the list real if those are read; otherwise the list loses its weights. Throws `error` (input)
/// if the field is not a number.
void take_weight(const line_blocks& blocks, std::string_view field, edge_list& list);

}  // namespace atl::graph
