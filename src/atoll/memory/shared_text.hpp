#pragma once
// This file has collectives that broadcast a text or an error of one PE to all PEs.

#include "atoll/collectives.hpp"
#include "atoll/error.hpp"

#include <optional>
#include <string>
#include <utility>

namespace atl {

/// Returns, on every PE, the `text` that PE `from` has passed. The texts of other PEs are ignored.
/// Every PE must call this function.
inline task<std::string> all_share_text(std::string text, int from) {
  const std::span<const char> mine(text.data(), my_pe() == from ? text.size() : 0);
  const auto of_all = co_await all_gather(mine);
  const auto& shared = of_all[static_cast<std::size_t>(from)];
  co_return std::string(shared.begin(), shared.end());
}

/// Returns, on every PE, the value `mine` of PE 0: an error, or nothing. Every PE must call this
/// function.
inline task<std::optional<error>> all_share_error(std::optional<error> mine) {
  constexpr int none = -1;
  const int code = co_await all_broadcast(mine ? static_cast<int>(mine->code()) : none);
  if (code == none) co_return std::nullopt;
  std::string text;
  if (mine) text = mine->what();
  text = co_await all_share_text(std::move(text), 0);
  co_return error(static_cast<errc>(code), text);
}

}  // namespace atl
