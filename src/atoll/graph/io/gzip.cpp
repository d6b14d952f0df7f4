// Only this file uses zlib.

#include "atoll/error.hpp"
#include "atoll/graph/io/byte_streams.hpp"

#include <algorithm>
#include <array>
// With this macro, zlib declares `next_in` as a pointer to constant bytes.
#define ZLIB_CONST
#include <zlib.h>

namespace atl::graph {
namespace {

constexpr int gzip_only = 16 + MAX_WBITS;  // accepts gzip, but not bare zlib streams
// Higher compression levels would make the text of edges only slightly shorter, because the text is
// mostly digits.
constexpr int fast_level = 3;

void check_memory(int status) {
  if (status == Z_MEM_ERROR) fail(errc::out_of_memory, "no memory for the state of gzip");
}

class gzip_reader final : public byte_source {
 public:
  explicit gzip_reader(const input_file& file) : input_(file) {
    check_memory(::inflateInit2(&stream_, gzip_only));
  }
  ~gzip_reader() override { ::inflateEnd(&stream_); }

  std::size_t read(std::span<char> into) override {
    output_ = reinterpret_cast<Bytef*>(into.data());
    stream_.next_out = output_;
    stream_.avail_out = static_cast<uInt>(into.size());
    while (stream_.avail_out > 0 && step()) {
    }
    return delivered();
  }

  double progress() const override { return input_.progress(stream_.avail_in); }

 private:
  // Processes some input. A file is a sequence of gzip members. Returns true if there may be more
  // output.
  bool step() {
    const bool more = stream_.avail_in > 0 || refill();
    if (between_members_) {
      if (!more || skip_padding()) return more;
      between_members_ = false;
      ::inflateReset(&stream_);
    }
    decompress(more);
    return true;
  }

  void decompress(bool more) {
    const auto status = ::inflate(&stream_, Z_NO_FLUSH);
    check_memory(status);
    if (status == Z_STREAM_END) {
      between_members_ = had_member_ = true;
    } else if (status == Z_BUF_ERROR && !more) {
      throw unreadable(delivered(), "the gzip data ends in the middle: the file was cut short");
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail_damaged();
    }
  }

  [[noreturn]] void fail_damaged() const {
    if (!had_member_ && stream_.total_out == 0) {
      throw unreadable(0, "the file does not hold gzip data, as its name says");
    }
    throw unreadable(delivered(), std::string("the gzip data is damaged: ") +
                                      (stream_.msg != nullptr ? stream_.msg : "inconsistent"));
  }

  std::size_t delivered() const { return static_cast<std::size_t>(stream_.next_out - output_); }

  // Skips zeros at the end of the file. Tapes and some tools fill the last block with zeros.
  // Returns true if all input was skipped.
  bool skip_padding() {
    const auto* end = stream_.next_in + stream_.avail_in;
    auto* next = std::find_if(stream_.next_in, stream_.next_in + stream_.avail_in,
                              [](Bytef byte) { return byte != 0; });
    stream_.next_in = next;
    stream_.avail_in = static_cast<uInt>(end - next);
    return stream_.avail_in == 0;
  }

  bool refill() {
    const auto bytes = input_.next();
    stream_.next_in = reinterpret_cast<Bytef*>(bytes.data());
    stream_.avail_in = static_cast<uInt>(bytes.size());
    return !bytes.empty();
  }

  compressed_input input_;
  z_stream stream_{};
  Bytef* output_ = nullptr;
  bool between_members_ = false;
  bool had_member_ = false;
};

class gzip_writer final : public byte_sink {
 public:
  explicit gzip_writer(byte_target target) : target_(std::move(target)) {
    check_memory(::deflateInit2(&stream_, fast_level, Z_DEFLATED, gzip_only, MAX_MEM_LEVEL,
                                Z_DEFAULT_STRATEGY));
  }
  ~gzip_writer() override { ::deflateEnd(&stream_); }

  void write(std::string_view bytes) override {
    stream_.next_in = reinterpret_cast<const Bytef*>(bytes.data());
    stream_.avail_in = static_cast<uInt>(bytes.size());
    while (stream_.avail_in > 0) pass_on(Z_NO_FLUSH);
  }

  void finish() override {
    while (pass_on(Z_FINISH) != Z_STREAM_END) {
    }
  }

 private:
  int pass_on(int flush) {
    stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
    stream_.avail_out = static_cast<uInt>(output_.size());
    const auto status = ::deflate(&stream_, flush);
    target_({output_.data(), output_.size() - stream_.avail_out});
    return status;
  }

  byte_target target_;
  z_stream stream_{};
  std::array<char, 65536> output_;
};

}  // namespace

std::unique_ptr<byte_source> gzip_source(const input_file& file) {
  return std::make_unique<gzip_reader>(file);
}

std::unique_ptr<byte_sink> gzip_sink(byte_target target) {
  return std::make_unique<gzip_writer>(std::move(target));
}

}  // namespace atl::graph
