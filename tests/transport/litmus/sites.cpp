#include "transport/litmus/sites.hpp"

#include <fmt/format.h>
#include <string_view>

namespace atl::litmus {
namespace {

struct named {
  const std::byte* begin;
  const std::byte* end;
  std::string owner;
  std::string kind;
};
std::vector<named> names;

const named* name_at(const void* at) {
  for (const named& one : names)
    if (at >= one.begin && at < one.end) return &one;
  return nullptr;
}

std::string_view function_of(const std::source_location& from) {
  std::string_view text = from.function_name();
  text = text.substr(0, text.find('('));
  return text.substr(text.find_last_of(": ") + 1);
}

const char* verb(act what) {
  switch (what) {
  case act::load:
    return "load";
  case act::store:
    return "store";
  case act::exchange:
    return "exchange";
  case act::add:
    return "fetch_add";
  case act::bit_or:
    return "fetch_or";
  case act::bit_and:
    return "fetch_and";
  case act::compare:
    return "compare_exchange";
  case act::wait:
    return "futex_wait";
  case act::wake:
    return "futex_wake";
  }
  return "";
}

const char* adjective(std::memory_order order) {
  switch (order) {
  case std::memory_order_relaxed:
    return "relaxed";
  case std::memory_order_acquire:
    return "acquire";
  case std::memory_order_release:
    return "release";
  case std::memory_order_acq_rel:
    return "acq_rel";
  default:
    return "seq_cst";
  }
}

}  // namespace

void name_words(const void* begin, std::size_t bytes, const std::string& owner,
                const std::string& kind) {
  const auto* const first = static_cast<const std::byte*>(begin);
  names.push_back({first, first + bytes, owner, kind});
}

void forget_names() { names.clear(); }

std::string site_of(const operation& done, const std::source_location& from) {
  const named* const word = name_at(done.at);
  const std::string text = fmt::format("{}: {}.{}", function_of(from),
                                       word != nullptr ? word->kind : "word", verb(done.what));
  if (done.what == act::wait || done.what == act::wake) return text;
  return fmt::format("{} {}", text, adjective(done.order));
}

std::string site_of_bytes(const std::source_location& from) {
  return fmt::format("{}: payload", function_of(from));
}

std::string name_of_word(const void* at) {
  const named* const word = name_at(at);
  return word != nullptr ? fmt::format("{}'s {}", word->owner, word->kind) : fmt::format("{}", at);
}

}  // namespace atl::litmus
