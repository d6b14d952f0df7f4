#pragma once
// Errors of the user's input and of the environment are exceptions of one type, with a code that
// decides the exit status. Wrong use by a programmer is an assertion; but wrong use of global
// memory, which depends on data, is an `input`.

#include <exception>
#include <fmt/core.h>
#include <string>
#include <utility>

namespace atl {

enum class errc {
  input,          ///< a flag, a variable, a file, a value the program cannot take
  environment,    ///< the machine refuses something: a limit, a missing facility
  out_of_memory,  ///< there is, or would be, not enough memory
  overflow,       ///< more bytes wait for room than the setting overflow-limit allows
  withdrawn,      ///< an operation was withdrawn before it began
  remote,         ///< an exception on another PE that is none of these, carried back
  hang,           ///< the job made no progress
  wrong_result,   ///< a verifier found a wrong result
  peer_died,      ///< another PE ended early
  internal        ///< a mistake in Atoll
};

/// What Atoll throws. The text is one sentence that names the setting concerned and its present
/// value, without a full stop.
class error : public std::exception {
 public:
  error(errc code, std::string text) : code_(code), text_(std::move(text)) {}

  errc code() const noexcept { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

  /// The exit status of a program that ends by this error.
  int exit_status() const noexcept;

 private:
  errc code_;
  std::string text_;
};

/// Throws an `error` with a formatted text.
template <class... Arguments>
[[noreturn]] void fail(errc code, fmt::format_string<Arguments...> format,
                       Arguments&&... arguments) {
  throw error(code, fmt::format(format, std::forward<Arguments>(arguments)...));
}

namespace base {
[[noreturn]] void assertion_failed(const char* file, int line, const char* sentence) noexcept;
}  // namespace base

}  // namespace atl

/// For wrong use by a programmer: prints file, line and the sentence, then raises SIGABRT. Always
/// on, so the condition must be cheap.
#define ATOLL_ASSERT(condition, sentence)                                                          \
  (static_cast<bool>(condition) ? static_cast<void>(0)                                             \
                                : ::atl::base::assertion_failed(__FILE__, __LINE__, sentence))
