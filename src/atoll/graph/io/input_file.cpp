#include "atoll/graph/io/input_file.hpp"

#include "atoll/error.hpp"
#include "atoll/machine.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace atl::graph {
namespace {

std::string reason(int number) { return refusal_text(number, refused::file); }

// Looked at before opening: opening a pipe would wait for its writer.
std::uint64_t size_of_regular(const std::string& path, const std::string& opened) {
  struct stat status{};
  if (::stat(opened.c_str(), &status) != 0) {
    fail(errc::input, "{}: cannot open: {}", path, reason(errno));
  }
  if (S_ISDIR(status.st_mode)) fail(errc::input, "{}: cannot read: it is a directory", path);
  if (!S_ISREG(status.st_mode)) {
    fail(errc::input,
         "{}: cannot read: it is not a regular file, and reading in parallel needs one", path);
  }
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

input_file::input_file(std::string path, const std::string& content) : path_(std::move(path)) {
  const std::string& opened = content.empty() ? path_ : content;
  size_ = size_of_regular(path_, opened);
  descriptor_ = ::open(opened.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail(errc::input, "{}: cannot open: {}", path_, reason(errno));
}

input_file::~input_file() { ::close(descriptor_); }

std::size_t input_file::read_at(std::uint64_t offset, std::span<char> into) const {
  std::size_t done = 0;
  while (done < into.size()) {
    const auto count = ::pread(descriptor_, into.data() + done, into.size() - done,
                               static_cast<off_t>(offset + done));
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errc::environment, "{}: cannot read on: {}", path_, reason(errno));
    done += static_cast<std::size_t>(count);
  }
  return done;
}

void input_file::read_exactly(std::uint64_t offset, std::span<char> into) const {
  const auto found = read_at(offset, into);
  if (found == into.size()) return;
  fail(errc::input, "{}: byte {}: the file became shorter while it was read, from {} bytes", path_,
       offset + found, size_);
}

void refuse_unread(const input_file& file) {
  struct packer {
    std::string_view begin, name, program;
  };
  static constexpr std::array<packer, 3> packers = {{{"BZh", "bzip2", "bzcat"},
                                                     {"\xfd"
                                                      "7zXZ",
                                                      "xz", "xzcat"},
                                                     {"PK\x03\x04", "zip", "unzip -p"}}};
  std::array<char, 8> first{};
  const std::string_view begin(first.data(), file.read_at(0, first));
  // A vertex may be called "BZh..."; bzip2 has the mark of a block, or of the end, at byte 4.
  const auto block = begin.size() < 7 ? std::string_view() : begin.substr(4, 3);
  const bool is_name = begin.starts_with("BZh") && block != "1AY" && block != "\x17rE";
  for (const auto& [mark, name, program] : packers)
    if (begin.starts_with(mark) && !is_name)
      fail(errc::input,
           "{}:1:1: the file is compressed with {}, and only gzip and zstd are read; {} makes a "
           "text of it",
           file.path(), name, program);
  if (begin.starts_with("\xff\xfe") || begin.starts_with("\xfe\xff"))
    fail(errc::input,
         "{}:1:1: the file is a text in UTF-16, and only ASCII and UTF-8 are read; iconv -f UTF-16 "
         "-t UTF-8 makes that of it",
         file.path());
}

}  // namespace atl::graph
