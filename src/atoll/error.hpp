#pragma once
// Errors: the exception for wrong input and a machine that does not fit, the exit statuses of
// programs, and the text of exceptions that nobody has caught.

#include <exception>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>

namespace atl {

// The exit statuses of a program on Atoll; 0 is a right result, 128 + signal the death of a PE.

inline constexpr int k_status_wrong_result = 1;
inline constexpr int k_status_environment = 2;  ///< bad input, or a machine that does not fit
inline constexpr int k_status_hang = 3;
inline constexpr int k_status_exception = 4;  ///< uncaught; also an end without a status of its own

/// Of a program that a signal has ended, as shells have it.
constexpr int status_of_signal(int signal) noexcept { return 128 + signal; }

// Errors of the user's input and of the environment are exceptions of one type, with a code that
// decides the exit status. Wrong use by a programmer is an assertion; but wrong use of global
// memory, which depends on data, is an `input`.

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

// What is said of an exception that nobody has caught.

namespace atl {

/// The text of an exception, for reports and for carrying it to another PE; "out of memory" where
/// there is no memory for it.
std::string describe(const std::exception_ptr& exception) noexcept;

/// What kind of failure another PE is told: that of an `error`, out_of_memory for std::bad_alloc,
/// remote for any other exception.
errc carried_code(const std::exception_ptr& exception) noexcept;

/// An `error` of this kind and text that another PE has sent; std::bad_alloc where there is no
/// memory for it.
std::exception_ptr carried_failure(errc code, std::string_view text) noexcept;

/// The exit status of a program that ends by it.
int exit_status_of(const std::exception_ptr& exception) noexcept;

}  // namespace atl
