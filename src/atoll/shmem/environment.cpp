#include "atoll/shmem/environment.hpp"

#include "atoll/error.hpp"
#include "atoll/shmem/include/shmem/setup.h"
#include "atoll/shmem_tasks.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <locale.h>
#include <string>
#include <string_view>

namespace atl::shmem {
namespace {

/// Or by its name from before OpenSHMEM. An empty value is none.
const char* value_of(const std::string& name) {
  for (const char* prefix : {"SHMEM_", "SMA_"}) {
    const char* const value = std::getenv((prefix + name).c_str());
    if (value != nullptr && *value != '\0') return value;
  }
  return nullptr;
}

[[noreturn]] void refuse_size(const char* text) {
  fail(errc::input,
       "SHMEM_SYMMETRIC_SIZE={}: not a number of bytes, with k, m, g or t behind it for 2 to the "
       "power of 10, 20, 30 or 40",
       text);
}

/// With a point before the fraction, whatever the locale that the program has chosen.
double number_at(const char* text, char** end) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(text, end, plain);
}

std::size_t size_in(const char* text) {
  char* end = nullptr;
  const double number = number_at(text, &end);
  constexpr std::string_view k_units = "kmgt";
  int shift = 0;
  if (end != text && *end != '\0') {
    const auto unit = k_units.find(static_cast<char>(*end | 0x20));
    if (unit == std::string_view::npos || end[1] != '\0') refuse_size(text);
    shift = 10 * static_cast<int>(unit + 1);
  }
  const double bytes = std::ldexp(number, shift);
  if (end == text || !(bytes >= 0) || bytes > 0x1p62) refuse_size(text);
  return static_cast<std::size_t>(bytes);
}

environment_variables read() {
  environment_variables found;
  found.says_version = value_of("VERSION") != nullptr;
  found.says_information = value_of("INFO") != nullptr;
  found.says_more = value_of("DEBUG") != nullptr;
  const char* const size = value_of("SYMMETRIC_SIZE");
  found.symmetric_size = size != nullptr ? size_in(size) : SIZE_MAX;
  return found;
}

}  // namespace

const environment_variables& variables() {
  static const environment_variables only = read();
  return only;
}

void say_version() {
  std::printf("%s, OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING, SHMEM_MAJOR_VERSION,
              SHMEM_MINOR_VERSION);
}

void say_variables() {
  std::puts(R"(SHMEM_VERSION         when set, the version is printed at the start
SHMEM_INFO            when set, this is
SHMEM_SYMMETRIC_SIZE  the most bytes shmem_malloc gives each PE, as in 64m or 1.5G; without it, as
                      much as there is
SHMEM_DEBUG           when set, the runtime says more on standard error
SMA_...               the same
ATOLL_...             settings of the runtime (`atoll options` lists them))");
}

void say_what_is_asked_for() {
  if (variables().says_version) say_version();
  if (variables().says_information) say_variables();
  std::fflush(stdout);
}

}  // namespace atl::shmem
