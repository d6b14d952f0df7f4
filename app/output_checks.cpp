#include "app/output_checks.hpp"

#include "atoll/launch.hpp"

#include <filesystem>

namespace atl::app {

bool is_on_other_rank() {
  const auto launched = job::present_launch();
  return launched && launched->rank != 0;
}

void refuse_to_replace(const std::string& path, const std::string& input, const char* what) {
  std::error_code missing;
  if (!input.empty() && std::filesystem::equivalent(path, input, missing))
    fail(errc::input, "{} is the file of {} that is read", path, what);
}

}  // namespace atl::app
