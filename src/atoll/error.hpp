#pragma once
// The exception `error`, the exit statuses of programs, assertions, and functions that describe
// exceptions.

#include <exception>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>

namespace atl {

// The exit statuses of a program on Atoll. Status 0 means a correct result; 128 + signal means that
// a signal killed a PE.

inline constexpr int k_status_wrong_result = 1;
/// Wrong input, or the machine lacks something that the program needs.
inline constexpr int k_status_environment = 2;
inline constexpr int k_status_hang = 3;
/// An exception was not caught, or a PE ended without a status.
inline constexpr int k_status_exception = 4;

/// Returns the exit status of a program that `signal` has killed. The status is 128 + `signal`, as
/// in shells.
constexpr int status_of_signal(int signal) noexcept { return 128 + signal; }

// Errors of the user's input and of the environment are exceptions of the type `error`. The code of
// an `error` determines the exit status. A programmer's wrong use of Atoll fails an assertion
// instead. Wrong use of global memory is an `input` error, because it usually depends on data.

enum class errc {
  input,          ///< a flag, variable, file or value is wrong
  environment,    ///< the machine refuses a request, because of a limit or a missing facility
  out_of_memory,  ///< memory is exhausted, or a request would exhaust it
  overflow,       ///< a PE's unsent messages exceed the setting overflow-limit
  withdrawn,      ///< an operation was withdrawn before it began
  remote,         ///< an exception of another type was thrown on another PE
  hang,           ///< the job made no progress
  wrong_result,   ///< a verifier found a wrong result
  peer_died,      ///< another PE has ended before the end of the job
  internal        ///< Atoll itself has a fault
};

/// The exception type of Atoll. The text of an `error` is one sentence without a full stop. If a
/// setting causes the error, the text names the setting and its value.
class error : public std::exception {
 public:
  error(errc code, std::string text) : code_(code), text_(std::move(text)) {}

  errc code() const noexcept { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

  /// Returns the exit status with which a program ends if it does not catch this error.
  int exit_status() const noexcept;

 private:
  errc code_;
  std::string text_;
};

/// Throws an `error` with the code `code` and a formatted text.
template <class... Arguments>
[[noreturn]] void fail(errc code, fmt::format_string<Arguments...> format,
                       Arguments&&... arguments) {
  throw error(code, fmt::format(format, std::forward<Arguments>(arguments)...));
}

namespace base {
[[noreturn]] void assertion_failed(const char* file, int line, const char* sentence) noexcept;
}  // namespace base

}  // namespace atl

/// Checks that a programmer uses Atoll correctly. If `condition` is false, the check prints the
/// file, the line and `sentence`, and then raises SIGABRT. Release builds contain the check too, so
/// `condition` must be cheap.
#define ATOLL_ASSERT(condition, sentence)                                                          \
  (static_cast<bool>(condition) ? static_cast<void>(0)                                             \
                                : ::atl::base::assertion_failed(__FILE__, __LINE__, sentence))

// The next functions describe exceptions that were not caught.

namespace atl {

/// Returns the text of an exception. Reports print this text, and messages carry it to other PEs.
/// Returns "out of memory" if there is no memory for the text.
std::string describe(const std::exception_ptr& exception) noexcept;

/// Returns the code with which an exception is sent to another PE. An `error` keeps its own code.
/// std::bad_alloc has the code `out_of_memory`, and any other exception has `remote`.
errc carried_code(const std::exception_ptr& exception) noexcept;

/// Makes an `error` with the code and text that another PE has sent. Returns a std::bad_alloc
/// instead if there is no memory for the `error`.
std::exception_ptr carried_failure(errc code, std::string_view text) noexcept;

/// Returns the exit status with which a program ends if it does not catch `exception`.
int exit_status_of(const std::exception_ptr& exception) noexcept;

}  // namespace atl
