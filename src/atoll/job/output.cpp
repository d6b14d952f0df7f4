#include "atoll/job/output.hpp"

#include "atoll/error.hpp"
#include "atoll/job/pe_end.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
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

/// The errno of a failed write of tagged output, or 0. The variable is global, because it is read
/// after the stream of tagged output was destroyed.
std::atomic<int> lost{0};

/// Returns whether the stream is fully buffered. By default, a stream is fully buffered except on a
/// terminal, but the program may set another mode. Before the first write, the C library does not
/// know whether the stream is a terminal, so this function asks the system.
bool is_in_blocks(std::FILE* stream) {
  const std::size_t bytes = __fbufsize(stream);
  if (bytes == 0) return isatty(fileno(stream)) == 0;
  const bool writes_at_once = bytes == 1;
  return !writes_at_once && __flbf(stream) == 0;
}

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

output_by_line::output_by_line() : was_in_blocks_(is_in_blocks(stdout)) {
  if (was_in_blocks_) std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

output_by_line::~output_by_line() {
  flush_output();
  if (was_in_blocks_) std::setvbuf(stdout, nullptr, _IOFBF, 0);
}

tagged_output::open_line::open_line(int pe) : tag(fmt::format("[PE {}] ", pe)), text(tag) {}

tagged_output::tagged_output(pes_of_process mine)
    : first_(mine.first), stream_(nullptr, std::fclose) {
  for (int i = 0; i < mine.count; ++i) lines_.emplace_back(mine.first + i);
  flush_output();
  stream_.reset(fopencookie(this, "w", {nullptr, take, nullptr, nullptr}));
  if (stream_ == nullptr)
    fail(errc::environment, "--tag-output: no stream for the output of PE {}: {}", first_,
         refusal_text(errno, refused::memory));
  // Several threads must not share a buffer, because their incomplete lines would be mixed.
  std::setvbuf(stream_.get(), nullptr, mine.count == 1 ? _IOLBF : _IONBF, 0);
  buffer_ = std::make_unique<__gnu_cxx::stdio_sync_filebuf<char>>(stream_.get());
  untagged_ = stdout;
  stdout = stream_.get();
  untagged_buffer_ = std::cout.rdbuf(buffer_.get());
}

tagged_output::~tagged_output() {
  flush_output();
  for (open_line& each : lines_)
    if (each.text.size() > each.tag.size()) each.write();
  std::cout.rdbuf(untagged_buffer_);
  stdout = untagged_;
}

ssize_t tagged_output::take(void* self, const char* text, size_t bytes) {
  open_line& line = static_cast<tagged_output*>(self)->of_this_thread();
  for (std::string_view rest(text, bytes); !rest.empty();) {
    const std::size_t end = rest.find('\n');
    line.text += rest.substr(0, end);
    if (end == std::string_view::npos) break;
    line.write();
    rest.remove_prefix(end + 1);
  }
  return static_cast<ssize_t>(bytes);
}

tagged_output::open_line& tagged_output::of_this_thread() {
  const auto place = static_cast<std::size_t>(std::max(0, pe_of_this_thread() - first_));
  return lines_[std::min(place, lines_.size() - 1)];
}

void tagged_output::open_line::write() {
  text += '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) {
      lost = errno;
      break;
    }
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
  text = tag;
}

}  // namespace atl::job
