#include "atoll/graph/kronecker.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/error.hpp"

namespace atl {
namespace {

const generator_parameters& checked(const generator_parameters& parameters) {
  parameters.check();
  if (parameters.exact_vertices != 0) {
    fail(errc::input, "vertices: {}: a Kronecker graph has 2^scale vertices",
         parameters.exact_vertices);
  }
  return parameters;
}

}  // namespace

kronecker_generator::kronecker_generator(const generator_parameters& parameters)
    : words_(ceil_divide<std::uint64_t>(checked(parameters).scale, levels_a_word)),
      excess_(static_cast<unsigned>(words_ * levels_a_word - parameters.scale)),
      key_(graph::key_of(parameters, graph::random_purpose::kronecker)),
      scramble_(graph::key_of(parameters, graph::random_purpose::scramble),
                static_cast<unsigned>(parameters.scale)) {}

}  // namespace atl
