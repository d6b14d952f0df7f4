#include "atoll/graph/io/byte_source.hpp"

#include <algorithm>

namespace atl::graph {
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

}  // namespace atl::graph
