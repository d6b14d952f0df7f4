#pragma once
// A site is a place in the source code. Reports and errors name a site, for example where a task
// waits, where a task was spawned, or which call exceeded a limit.

#include <bit>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

namespace atl {

/// A place in the source code, stored as one pointer to a constant of the program. A function whose
/// last parameter is `site where = site::current()` gets the place of its call in `where`. The
/// pointer of a site is invalid in other processes, so a closure with a site must not be sent. A
/// site is not trivially copyable, so that the compiler refuses to send a closure with a site.
/// Messages contain a `transport::travelling_site` instead of a site.
struct site {
  constexpr site() = default;
  constexpr site(const site& other) noexcept : location_(other.location_) {}
  constexpr site& operator=(const site& other) noexcept {
    location_ = other.location_;
    return *this;
  }
  constexpr site(std::source_location location) : location_(location) {}

  // `current` is not consteval. With consteval, g++ 12 would return the place of a parameter's
  // declaration instead of the place of the call.
  static constexpr site current(std::source_location location = std::source_location::current()) {
    return site(location);
  }

  constexpr bool known() const { return location_.line() != 0; }
  constexpr const char* file() const { return location_.file_name(); }
  constexpr std::uint32_t line() const { return location_.line(); }
  constexpr const char* function() const { return location_.function_name(); }

  /// Returns the site as an integer that can be stored in shared memory. The integer stands for the
  /// same site in every process that was forked from this process. The integer 0 stands for an
  /// unknown site.
  std::uint64_t word() const { return std::bit_cast<std::uint64_t>(location_); }
  static site from_word(std::uint64_t word) {
    return site(std::bit_cast<std::source_location>(word));
  }

 private:
  std::source_location location_;
};

static_assert(sizeof(site) == sizeof(void*) && !std::is_trivially_copyable_v<site>);

/// Returns the base name of the file and the line, such as "bfs.hpp:88". Returns "nowhere" if the
/// site is unknown.
inline std::string to_string(site where) {
  if (!where.known()) return "nowhere";
  std::string_view file = where.file();
  file.remove_prefix(file.rfind('/') + 1);  // without a slash, npos + 1 is 0
  return std::string(file) + ':' + std::to_string(where.line());
}

}  // namespace atl
