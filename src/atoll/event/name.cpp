#include "atoll/event/name.hpp"

#include "atoll/transport/site_word.hpp"

#include <deque>
#include <fmt/core.h>
#include <mutex>
#include <optional>
#include <string_view>

namespace atl::events {
namespace {

// Names of events are kept in global variables, because error messages of later jobs need the
// names.
std::mutex names_mutex;
std::deque<std::vector<kept_name>> names_kept;
constexpr std::size_t k_most_kept_pes = 16;

std::string_view noun_of(kept_kind kind) {
  switch (kind) {
  case kept_kind::reservation:
    return "reservation";
  case kept_kind::barrier:
    return "phase barrier";
  default:
    return "event";
  }
}

std::optional<kept_name> find_kept(name known, std::string_view noun) {
  const std::lock_guard lock(names_mutex);
  for (auto of_pe = names_kept.rbegin(); of_pe != names_kept.rend(); ++of_pe)
    for (const kept_name& each : *of_pe)
      if (each.known == known && noun_of(each.kind) == noun) return each;
  return {};
}

}  // namespace

void keep_names(std::vector<kept_name> of_pe) noexcept {
  if (of_pe.empty()) return;
  const std::lock_guard lock(names_mutex);
  try {
    names_kept.push_back(std::move(of_pe));
  } catch (const std::bad_alloc&) {  // if memory is exhausted, later errors name no source line
    return;
  }
  if (names_kept.size() > k_most_kept_pes) names_kept.pop_front();
}

std::string text_of_ended(name known, const char* noun) {
  const auto found = find_kept(known, noun);
  if (!found)
    return fmt::format("{} {} that PE {} made in a job that has ended", noun[0] == 'e' ? "an" : "a",
                       noun, known.pe());
  return fmt::format("the {} {} at {} in a job that has ended", noun,
                     found->kind == kept_kind::triggered_event ? "triggered" : "made",
                     to_string(transport::site_of_word(found->made)));
}

}  // namespace atl::events
