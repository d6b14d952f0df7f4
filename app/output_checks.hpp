#pragma once
// What commands with --output FILE have in common.

#include "atoll/error.hpp"

#include <string>

namespace atl::app {

/// What `action` throws names the flag.
template <class Action>
auto for_output(Action action) try {
  return action();
} catch (const error& e) {
  fail(e.code(), "--output: {}", e.what());
}

/// All ranks of a launcher come here, and the host of another one may have no such folder.
bool is_on_other_rank();

/// Throws `error` (input) if `path` is the file of `what` that is read, `input`.
void refuse_to_replace(const std::string& path, const std::string& input, const char* what);

}  // namespace atl::app
