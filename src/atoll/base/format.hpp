#pragma once
// Numbers for people: three significant digits and the unit that keeps them short.

#include <cstdint>
#include <string>

namespace atl {

/// "42.7 M", "1.06 G", "950", "0.25"; for counts and rates ("42.7 M" + "updates/s").
std::string human_number(double value);

/// "256 MiB", "1.5 KiB", "17 B".
std::string human_bytes(double bytes);

/// "1.2 ms", "100 us", "12.5 s", "3 min 20 s".
std::string human_seconds(double seconds);

/// "12.5 %".
std::string human_percent(double fraction);

/// "1,048,576": all digits, in groups.
std::string grouped_digits(std::uint64_t value);

}  // namespace atl
