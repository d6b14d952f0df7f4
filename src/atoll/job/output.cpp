#include "atoll/job/output.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/process_limits.hpp"

#include <atomic>
#include <cerrno>
#include <ctime>
#include <ext/stdio_sync_filebuf.h>
#include <fmt/core.h>
#include <iostream>
#include <stdio_ext.h>
#include <string_view>
#include <unistd.h>

namespace atl::job {

namespace {

/// Why tagged output, whose stream ends before the process does, could not be written: an errno.
std::atomic<int> lost{0};

constexpr timespec time_to_forward_output{0, 200'000'000};

}  // namespace

bool flush_output() {
  errno = 0;
  std::cout.flush();
  const bool is_written = std::fflush(nullptr) == 0;
  if (lost != 0) errno = lost;
  return is_written && !std::cout.bad() && std::ferror(stdout) == 0 && lost == 0;
}

std::string unwritten_output_text() {
  const std::string why =
      errno != 0 ? ": " + refusal_text(errno, refused::file) : file_limit_text();
  return "standard output could not be written" + why;
}

void let_output_be_forwarded() noexcept { nanosleep(&time_to_forward_output, nullptr); }

output_by_line::output_by_line() : was_by_line_(__flbf(stdout) != 0) {
  if (!was_by_line_) std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

output_by_line::~output_by_line() {
  flush_output();
  if (!was_by_line_) std::setvbuf(stdout, nullptr, _IOFBF, 0);
}

tagged_output::tagged_output(int pe)
    : tag_(fmt::format("[PE {}] ", pe)), line_(tag_), stream_(nullptr, std::fclose) {
  flush_output();
  stream_.reset(fopencookie(this, "w", {nullptr, take, nullptr, nullptr}));
  if (stream_ == nullptr)
    fail(errc::environment, "--tag-output: no stream for the output of PE {}: {}", pe,
         refusal_text(errno, refused::memory));
  std::setvbuf(stream_.get(), nullptr, _IOLBF, 0);
  buffer_ = std::make_unique<__gnu_cxx::stdio_sync_filebuf<char>>(stream_.get());
  untagged_ = stdout;
  stdout = stream_.get();
  untagged_buffer_ = std::cout.rdbuf(buffer_.get());
}

tagged_output::~tagged_output() {
  flush_output();
  if (line_.size() > tag_.size()) write_line();
  std::cout.rdbuf(untagged_buffer_);
  stdout = untagged_;
}

ssize_t tagged_output::take(void* self, const char* text, size_t bytes) {
  auto& output = *static_cast<tagged_output*>(self);
  for (std::string_view rest(text, bytes); !rest.empty();) {
    const std::size_t end = rest.find('\n');
    output.line_ += rest.substr(0, end);
    if (end == std::string_view::npos) break;
    output.write_line();
    rest.remove_prefix(end + 1);
  }
  return static_cast<ssize_t>(bytes);
}

void tagged_output::write_line() {
  line_ += '\n';
  std::string_view rest = line_;
  while (!rest.empty()) {
    const ssize_t written = write(STDOUT_FILENO, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) {
      lost = errno;
      break;
    }
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
  line_ = tag_;
}

}  // namespace atl::job
