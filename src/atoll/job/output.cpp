#include "atoll/job/output.hpp"

#include <atomic>
#include <cerrno>
#include <ctime>
#include <ext/stdio_sync_filebuf.h>
#include <fmt/core.h>
#include <iostream>
#include <new>
#include <stdio_ext.h>
#include <string_view>
#include <unistd.h>

namespace atl::job {

namespace {

/// Of tagged output, whose stream ends before the process does.
std::atomic<bool> lost{false};

constexpr timespec time_to_forward_output{0, 200'000'000};

}  // namespace

bool flush_output() {
  std::cout.flush();
  const bool is_written = std::fflush(nullptr) == 0;
  return is_written && !std::cout.bad() && std::ferror(stdout) == 0 && !lost;
}

void let_output_be_forwarded() noexcept { nanosleep(&time_to_forward_output, nullptr); }

output_by_line::output_by_line() : was_by_line_(__flbf(stdout) != 0) {
  if (!was_by_line_) std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

output_by_line::~output_by_line() {
  flush_output();
  if (!was_by_line_) std::setvbuf(stdout, nullptr, _IOFBF, 0);
}

tagged_output::tagged_output(int pe) : tag_(fmt::format("[PE {}] ", pe)), line_(tag_) {
  flush_output();
  stream_ = fopencookie(this, "w", {nullptr, take, nullptr, nullptr});
  if (stream_ == nullptr) throw std::bad_alloc();
  std::setvbuf(stream_, nullptr, _IOLBF, 0);
  buffer_ = std::make_unique<__gnu_cxx::stdio_sync_filebuf<char>>(stream_);
  untagged_ = stdout;
  stdout = stream_;
  untagged_buffer_ = std::cout.rdbuf(buffer_.get());
}

tagged_output::~tagged_output() {
  flush_output();
  if (line_.size() > tag_.size()) write_line();
  std::cout.rdbuf(untagged_buffer_);
  stdout = untagged_;
  std::fclose(stream_);
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
      lost = true;
      break;
    }
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
  line_ = tag_;
}

}  // namespace atl::job
