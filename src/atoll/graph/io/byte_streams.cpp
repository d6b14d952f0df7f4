#include "atoll/graph/io/byte_streams.hpp"

#include "atoll/error.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace atl::graph {
namespace {

std::string reason(int number) { return refusal_text(number, refused::file); }

// Returns the size of a regular file. The type of the file is checked before the file is opened,
// because opening a pipe would wait for its writer.
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
  // A text may begin with a name such as "BZh...", so the first bytes do not prove that the file
  // has the format bzip2. A bzip2 file also has a fixed mark at byte 4.
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

namespace {

class plain_reader final : public byte_source {
 public:
  plain_reader(const input_file& file, std::uint64_t begin, std::uint64_t end)
      : file_(file), begin_(begin), offset_(begin), end_(end) {}

  std::size_t read(std::span<char> into) override {
    const auto wanted = std::min<std::uint64_t>(into.size(), end_ - offset_);
    file_.read_exactly(offset_, into.first(wanted));
    offset_ += wanted;
    return wanted;
  }

  double progress() const override {
    if (end_ == begin_) return 1;
    return static_cast<double>(offset_ - begin_) / static_cast<double>(end_ - begin_);
  }

 private:
  const input_file& file_;
  std::uint64_t begin_, offset_, end_;
};

}  // namespace

compressed_input::compressed_input(const input_file& file)
    : file_(file), buffer_(std::make_unique_for_overwrite<char[]>(buffer_bytes)) {}

std::span<char> compressed_input::next() {
  const auto count = file_.read_at(offset_, {buffer_.get(), buffer_bytes});
  offset_ += count;
  return {buffer_.get(), count};
}

double compressed_input::progress(std::size_t unused) const {
  const auto used = offset_ - unused;
  if (used >= file_.size()) return 1;
  return static_cast<double>(used) / static_cast<double>(file_.size());
}

std::unique_ptr<byte_source> plain_source(const input_file& file, std::uint64_t begin,
                                          std::uint64_t end) {
  return std::make_unique<plain_reader>(file, begin, end);
}

std::unique_ptr<byte_source> open_source(const input_file& file, compression packing) {
  switch (packing) {
  case compression::gzip:
    return gzip_source(file);
  case compression::zstd:
    return zstd_source(file);
  case compression::none:
    break;
  }
  return plain_source(file, 0, file.size());
}

namespace {

class plain_writer final : public byte_sink {
 public:
  explicit plain_writer(byte_target target) : target_(std::move(target)) {}
  void write(std::string_view bytes) override { target_(bytes); }
  void finish() override {}

 private:
  byte_target target_;
};

std::unique_ptr<byte_sink> sink_for(compression packing, byte_target target) {
  switch (packing) {
  case compression::gzip:
    return gzip_sink(std::move(target));
  case compression::zstd:
    return zstd_sink(std::move(target));
  case compression::none:
    break;
  }
  return std::make_unique<plain_writer>(std::move(target));
}

}  // namespace

std::unique_ptr<byte_sink> open_sink(output_file& file, compression packing) {
  return sink_for(packing, [&file](std::string_view bytes) { file.write(bytes); });
}

std::string packed(std::string bytes, compression packing) {
  if (packing == compression::none) return bytes;
  std::string result;
  const auto sink = sink_for(packing, [&result](std::string_view some) { result += some; });
  sink->write(bytes);
  sink->finish();
  return result;
}

}  // namespace atl::graph
