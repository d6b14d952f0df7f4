#include "app/sort_text.hpp"

#include "atoll/log.hpp"

#include <fmt/format.h>

namespace atl::app {

void add_sort_parameters(report& result, const sort_flags& flags) {
  if (flags.of_file()) {
    result.parameter("file", flags.file);
  } else if (flags.random()) {
    result.parameter("keys", flags.keys);
    result.parameter("bits", flags.bits);
  } else {
    result.parameter("class", std::string(1, flags.nas->name));
  }
  const bool collective = flags.exchange == kernels::sort::exchange::collective;
  result.parameter("exchange", collective ? "collective" : "delegates");
}

void describe(report& result, const sort_flags& flags, const sort_findings& found) {
  const auto& last = found.trials.back();
  const double mean = static_cast<double>(found.keys) / static_cast<double>(result.pes());
  const double most = mean > 0 ? static_cast<double>(last.most_of_pe) / mean : 1;
  if (flags.of_file()) result.add({"seconds_to_read", "s", found.read_seconds});
  result.section("keys", found.keys);
  result.section("bits", std::uint64_t{found.bits});
  result.section("most_of_a_pe", most);
  result.section("bytes_peak", found.bytes_peak);
  result.line(fmt::format("{} keys of {} bits; the PE with most has {:.3f} of an equal share",
                          grouped_digits(found.keys), found.bits, most));
  if (last.rankings != 0) {
    const std::uint64_t tests = last.rankings * kernels::sort::k_nas_tests;
    result.section("tests_passed", last.tests_passed);
    result.line(fmt::format("{} of {} tested ranks are those that NAS has published",
                            last.tests_passed, tests));
  }
  if (found.check && !found.check->right()) result.line("wrong order: " + found.check->complaint());
}

}  // namespace atl::app
