#include "app/bench/mix_flag.hpp"

#include "atoll/base/error.hpp"

#include <exception>

namespace atl::app {

double parse_mix(const std::string& text) {
  std::size_t used = 0;
  double mix = -1;
  try {
    mix = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size()) fail(errc::input, "--mix: \"{}\" is not a number", text);
  if (!(mix >= 0 && mix <= 1)) fail(errc::input, "--mix: {} is out of range (0 to 1)", text);
  return mix;
}

}  // namespace atl::app
