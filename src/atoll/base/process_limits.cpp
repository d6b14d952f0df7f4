#include "atoll/machine.hpp"

#include "atoll/log.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <initializer_list>
#include <optional>
#include <sys/resource.h>
#include <vector>

namespace atl {
namespace {

struct limit {
  int resource;
  const char* name;
  const char* of_shell;  ///< its letter
  bool is_size;
};

constexpr limit k_address_space{RLIMIT_AS, "address space", "-v", true};
constexpr limit k_data{RLIMIT_DATA, "data", "-d", true};
constexpr limit k_descriptors{RLIMIT_NOFILE, "open files", "-n", false};
constexpr limit k_processes{RLIMIT_NPROC, "processes and threads", "-u", false};
constexpr limit k_stack{RLIMIT_STACK, "the stack, which each thread gets", "-s", true};
constexpr limit k_file_size{RLIMIT_FSIZE, "the size of files", "-f", true};
constexpr limit k_pending_signals{RLIMIT_SIGPENDING, "timers and pending signals", "-i", false};

std::vector<limit> limits_behind(int error, refused what) {
  if (error == EMFILE) return {k_descriptors};
  if (error == EFBIG) return {k_file_size};
  if (error == ENOMEM && what != refused::file) return {k_address_space, k_data};
  if (error != EAGAIN) return {};
  switch (what) {
  case refused::process:
    return {k_processes};
  case refused::thread:
    return {k_processes, k_address_space, k_data, k_stack};
  case refused::timer:
    return {k_pending_signals};
  case refused::memory:
  case refused::file:
    break;
  }
  return {};
}

/// None when it is not set.
std::optional<std::string> text_of(const limit& one) {
  rlimit now{};
  if (getrlimit(static_cast<__rlimit_resource>(one.resource), &now) != 0) return std::nullopt;
  if (now.rlim_cur == RLIM_INFINITY) return std::nullopt;
  const std::string value =
      one.is_size ? human_bytes(static_cast<double>(now.rlim_cur)) : std::to_string(now.rlim_cur);
  return fmt::format("{} (ulimit {}, now {})", one.name, one.of_shell, value);
}

std::optional<std::string> text_of_group() {
  for (const auto& group : control_groups("pids"))
    if (const auto most = group.number("pids.max"))
      return fmt::format("processes of the control group ({}, now {})",
                         (group.directory / "pids.max").string(), *most);
  return std::nullopt;
}

void add(std::string& text, const std::optional<std::string>& one) {
  if (one) text += (text.empty() ? "" : ", or of ") + *one;
}

std::string as_question(const std::string& limits) {
  return limits.empty() ? limits : fmt::format("; is there room below the limit of {}?", limits);
}

std::string text_of_all(std::initializer_list<limit> all) {
  std::string limits;
  for (const limit& one : all) add(limits, text_of(one));
  return as_question(limits);
}

}  // namespace

std::string refusal_text(int error, refused what) {
  std::string limits;
  for (const limit& one : limits_behind(error, what)) add(limits, text_of(one));
  if (error == EAGAIN && what != refused::timer) add(limits, text_of_group());
  std::string text = std::strerror(error) + as_question(limits);
  errno = error;
  return text;
}

std::string memory_limits_text() { return text_of_all({k_address_space, k_data}); }

std::string file_limit_text() { return text_of_all({k_file_size}); }

std::string limits_of_start_text() {
  return text_of_all({k_address_space, k_data, k_descriptors, k_file_size, k_processes});
}

}  // namespace atl
