#include "app/bench/mix_flag.hpp"

#include "atoll/error.hpp"

#include <charconv>

namespace atl::app {

double parse_mix(const std::string& text) {
  double mix = -1;
  const char* const end = text.data() + text.size();
  const auto [behind, status] = std::from_chars(text.data(), end, mix);
  if (status != std::errc{} || behind != end)
    fail(errc::input, "--mix: \"{}\" is not a number", text);
  if (!(mix >= 0 && mix <= 1)) fail(errc::input, "--mix: {} is out of range (0 to 1)", text);
  return mix;
}

}  // namespace atl::app
