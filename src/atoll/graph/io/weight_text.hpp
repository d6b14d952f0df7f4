#pragma once
// Parses weights by one rule for all formats. If a command needs no weights, any number is
// accepted. If weights are needed, a weight must be an integer of 64 bits, written in digits, or as
// 3.0 or 1e3. Some commands also accept real numbers (`input_form::real_weights`).

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
    integer,     ///< an integer of 64 bits, stored in `value`
    too_large,   ///< an integer that needs more than 64 bits
    fraction,    ///< another number, such as 0.5, nan or inf
    with_comma,  ///< a number such as 0,5; it is unclear whether 1,000 means 1 or 1000
    other        ///< no number
  };
  kind is = other;
  std::int64_t value = 0;
};

/// Parses a whole field.
weight_text read_weight_text(std::string_view field);

/// Removes all weights of the list. Weights of a file are either all kept or all dropped. If the
/// function is called repeatedly, the first reason is kept.
void lose_weights(edge_list& list, const error& reason);

/// Returns the weight in a field of the current block. If the weight is a number but not an
/// integer, the result is 0, and the list loses its weights. Throws `error` (input) if the field is
/// not a number.
std::int64_t read_weight(const line_blocks& blocks, std::string_view field, edge_list& list);

/// Returns the double nearest to the number in a field. Returns nothing if the field is no number,
/// or if the number is not finite or too large for a double.
std::optional<double> read_real_weight(std::string_view field);

/// Adds an integer weight. If the list has lost its weights, the weight is not added.
inline void add_weight(std::int64_t weight, edge_list& list) {
  if (!list.weights_fault) [[likely]]
    list.weights.push_back(weight);
  else if (list.weights_are_real)
    list.weights.push_back(std::bit_cast<std::int64_t>(static_cast<double>(weight)));
}

/// If real weights are read, stores an error for the first negative weight.
void keep_negative(const line_blocks& blocks, std::string_view field, edge_list& list);

/// Adds the weight in a field of the current block. If the number is not an integer and real
/// weights are read, all weights of the list become doubles. If real weights are not read, the list
/// loses its weights. Throws `error` (input) if the field is not a number.
void take_weight(const line_blocks& blocks, std::string_view field, edge_list& list);

}  // namespace atl::graph
