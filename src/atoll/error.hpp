#pragma once
// Errors: the exception for wrong input and for a machine that lacks something, the exit statuses
// of programs, and the text of uncaught exceptions.

#include <exception>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>

namespace atl {

// The exit statuses of a program on Atoll. Status 0 means a correct result; 128 + signal means that
// a signal killed a PE.

inline constexpr int k_status_wrong_result = 1;
inline constexpr int k_status_environment = 2;  ///< bad input, or a machine that lacks something
inline constexpr int k_status_hang = 3;
inline constexpr int k_status_exception = 4;  ///< uncaught exception, or an end without a status

/// Returns the exit status of a program that `signal` has killed: 128 + `signal`, as in shells.
constexpr int status_of_signal(int signal) noexcept { return 128 + signal; }

// Errors of the user's input and of the environment are exceptions of one type, with a code that
// decides the exit status. Wrong use by a programmer is an assertion. Wrong use of global memory
// depends on data, so it is an `input` error.

enum class errc {
  input,          ///< a flag, a variable, a file, a value the program cannot take
  environment,    ///< the machine refuses something: a limit, a missing facility
  out_of_memory,  ///< there is, or would be, not enough memory
  overflow,       ///< a send exceeds the setting overflow-limit
  withdrawn,      ///< an operation was withdrawn before it began
  remote,         ///< another kind of exception, thrown on another PE
  hang,           ///< the job made no progress
  wrong_result,   ///< a verifier found a wrong result
  peer_died,      ///< another PE ended early
  internal        ///< a mistake in Atoll
};

/// The exception type of Atoll. Its text is one sentence without a full stop, which names the
/// setting concerned and its present value.
class error : public std::exception {
 public:
  error(errc code, std::string text) : code_(code), text_(std::move(text)) {}

  errc code() const noexcept { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

  /// Returns the exit status of a program that this error ends.
  int exit_status() const noexcept;

 private:
  errc code_;
  std::string text_;
};

/// Throws an `error` with this code and a formatted text.
template <class... Arguments>
[[noreturn]] void fail(errc code, fmt::format_string<Arguments...> format,
                       Arguments&&... arguments) {
  throw error(code, fmt::format(format, std::forward<Arguments>(arguments)...));
}

namespace base {
[[noreturn]] void assertion_failed(const char* file, int line, const char* sentence) noexcept;
}  // namespace base

}  // namespace atl

/// Checks for wrong use by a programmer: if `condition` is false, prints file, line and the
/// sentence, then raises SIGABRT. The check is always compiled in, so `condition` must be cheap.
#define ATOLL_ASSERT(condition, sentence)                                                          \
  (static_cast<bool>(condition) ? static_cast<void>(0)                                             \
                                : ::atl::base::assertion_failed(__FILE__, __LINE__, sentence))

// Reports of uncaught exceptions.

namespace atl {

/// Returns the text of an exception, for reports and to send it to another PE. Returns "out of
/// memory" if there is no memory for the text.
std::string describe(const std::exception_ptr& exception) noexcept;

/// Returns the code under which an exception is sent to another PE: its own for an `error`,
/// out_of_memory for std::bad_alloc, remote for any other.
errc carried_code(const std::exception_ptr& exception) noexcept;

/// Makes an `error` with the code and text that another PE has sent; std::bad_alloc if there is no
/// memory for it.
std::exception_ptr carried_failure(errc code, std::string_view text) noexcept;

/// Returns the exit status of a program that `exception` ends.
int exit_status_of(const std::exception_ptr& exception) noexcept;

}  // namespace atl
