#include "atoll/job/launch_card.hpp"

#include "atoll/error.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <locale>
#include <sstream>

namespace atl::job {

std::string text_of(const launch_card& card) {
  return fmt::format("{} {} {} {} {}", card.pe, card.pes, card.own_cores ? 1 : 0, card.core,
                     text_of(card.region));
}

launch_card card_in(const std::string& text) {
  std::istringstream words(text);
  words.imbue(std::locale::classic());
  launch_card card;
  words >> card.pe >> card.pes >> card.own_cores >> card.core >> card.region;
  const bool is_whole = !words.fail() && (words >> std::ws).eof();
  if (!is_whole || card.pes < 1 || card.pes > shm::max_pes_of_node || card.pe < 0 ||
      card.pe >= card.pes)
    fail(errc::environment, "{}={}: not what a launcher of this version says",
         launch_card::variable, text);
  return card;
}

std::optional<launch_card> take_launch_card() {
  if (!has_launch_card()) return std::nullopt;
  const launch_card card = card_in(std::getenv(launch_card::variable));
  unsetenv(launch_card::variable);
  return card;
}

bool has_launch_card() noexcept {
  const char* const text = std::getenv(launch_card::variable);
  return text != nullptr && *text != '\0';
}

}  // namespace atl::job
