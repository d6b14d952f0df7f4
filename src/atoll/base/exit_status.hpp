#pragma once
// The exit statuses of a program on Atoll; 0 is a right result, 128 + signal the death of a PE.

namespace atl {

inline constexpr int k_status_wrong_result = 1;
inline constexpr int k_status_environment = 2;  ///< bad input, or a machine that does not fit
inline constexpr int k_status_hang = 3;
inline constexpr int k_status_exception = 4;  ///< uncaught; also an end without a status of its own

/// Of a program that a signal has ended, as shells have it.
constexpr int status_of_signal(int signal) noexcept { return 128 + signal; }

}  // namespace atl
