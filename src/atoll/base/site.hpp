#pragma once
// A place in the source: where a task waits, where it was spawned, which call exceeded a limit.

#include <bit>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

namespace atl {

/// One pointer to a constant of the program. Functions take a site as their last argument, `site
/// where = site::current()`, which is the place of the call. The pointer is invalid in another
/// process, so a site is not trivially copyable, and no closure that holds one can travel.
/// `transport::travelling_site` can.
struct site {
  constexpr site() = default;
  constexpr site(const site& other) noexcept : location_(other.location_) {}
  constexpr site& operator=(const site& other) noexcept {
    location_ = other.location_;
    return *this;
  }
  constexpr site(std::source_location location) : location_(location) {}

  // Not consteval: as a default argument, g++ 12 would then give the place of the declaration.
  static constexpr site current(std::source_location location = std::source_location::current()) {
    return site(location);
  }

  constexpr bool known() const { return location_.line() != 0; }
  constexpr const char* file() const { return location_.file_name(); }
  constexpr std::uint32_t line() const { return location_.line(); }
  constexpr const char* function() const { return location_.function_name(); }

  /// Returns the site as a plain word, for shared memory. The word means the same in every process
  /// forked from this one. 0 is "nowhere".
  std::uint64_t word() const { return std::bit_cast<std::uint64_t>(location_); }
  static site from_word(std::uint64_t word) {
    return site(std::bit_cast<std::source_location>(word));
  }

 private:
  std::source_location location_;
};

static_assert(sizeof(site) == sizeof(void*) && !std::is_trivially_copyable_v<site>);

/// Returns "bfs.hpp:88": the base name of the file, and the line; "nowhere" if the site is unknown.
inline std::string to_string(site where) {
  if (!where.known()) return "nowhere";
  std::string_view file = where.file();
  file.remove_prefix(file.rfind('/') + 1);  // npos + 1 is 0
  return std::string(file) + ':' + std::to_string(where.line());
}

}  // namespace atl
