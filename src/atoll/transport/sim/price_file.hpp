#pragma once
// The file of parameters of the model for one machine: JSON, whose "prices" are names of
// model.def and their values in the units that stand there; the rest says where they come from.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace atl::transport::sim {

/// So that no sum of them overflows: a second where they are times.
inline constexpr double highest_parameter = 1e12;

/// The parameters, in the order of their names. Throws `error` (input), with the line and column
/// where it is no JSON.
std::vector<std::pair<std::string, std::int64_t>> read_price_file(const std::string& file);

}  // namespace atl::transport::sim
