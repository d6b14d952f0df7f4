// Only this file uses zstd.

#include "atoll/error.hpp"
#include "atoll/graph/io/byte_streams.hpp"

#include <array>
#include <zstd.h>
#include <zstd_errors.h>

namespace atl::graph {
namespace {

template <class State>
State* check_memory(State* state) {
  if (state == nullptr) fail(errc::out_of_memory, "no memory for the state of zstd");
  return state;
}

class zstd_reader final : public byte_source {
 public:
  explicit zstd_reader(const input_file& file)
      : input_(file), state_(check_memory(::ZSTD_createDCtx())) {
    // The limit of the window is the largest window that the options --long and --ultra of zstd
    // produce. The size of the file bounds its window anyway.
    const auto bounds = ::ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
    ::ZSTD_DCtx_setParameter(state_, ZSTD_d_windowLogMax, bounds.upperBound);
  }
  ~zstd_reader() override { ::ZSTD_freeDCtx(state_); }

  std::size_t read(std::span<char> into) override {
    ZSTD_outBuffer output{into.data(), into.size(), 0};
    while (output.pos < output.size && step(output)) {
    }
    return output.pos;
  }

  double progress() const override { return input_.progress(encoded_.size - encoded_.pos); }

 private:
  // Processes some input. A file is a sequence of frames. Returns true if there may be more output.
  bool step(ZSTD_outBuffer& output) {
    const bool more = encoded_.pos < encoded_.size || refill();
    if (!more && frame_complete_) return false;
    const auto before = output.pos;
    const auto hint = ::ZSTD_decompressStream(state_, &output, &encoded_);
    if (::ZSTD_isError(hint)) fail_damaged(hint, output.pos);
    frame_complete_ = hint == 0;
    had_output_ |= output.pos > 0;
    if (!more && !frame_complete_ && output.pos == before) {
      throw unreadable(output.pos, "the zstd data ends in the middle: the file was cut short");
    }
    return true;
  }

  [[noreturn]] void fail_damaged(std::size_t status, std::size_t delivered) const {
    const auto code = ::ZSTD_getErrorCode(status);
    if (code == ZSTD_error_memory_allocation) {
      fail(errc::out_of_memory, "no memory for the window of zstd");
    }
    if (code == ZSTD_error_prefix_unknown && !had_output_) {
      throw unreadable(0, "the file does not hold zstd data, as its name says");
    }
    throw unreadable(delivered,
                     std::string("the zstd data is damaged: ") + ::ZSTD_getErrorName(status));
  }

  bool refill() {
    const auto bytes = input_.next();
    encoded_ = {bytes.data(), bytes.size(), 0};
    return !bytes.empty();
  }

  compressed_input input_;
  ZSTD_DCtx* state_;
  ZSTD_inBuffer encoded_{nullptr, 0, 0};
  bool frame_complete_ = false;
  bool had_output_ = false;
};

class zstd_writer final : public byte_sink {
 public:
  explicit zstd_writer(byte_target target)
      : target_(std::move(target)), state_(check_memory(::ZSTD_createCCtx())) {
    ::ZSTD_CCtx_setParameter(state_, ZSTD_c_checksumFlag, 1);
  }
  ~zstd_writer() override { ::ZSTD_freeCCtx(state_); }

  void write(std::string_view bytes) override {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    while (input.pos < input.size) pass_on(input, ZSTD_e_continue);
  }

  void finish() override {
    ZSTD_inBuffer nothing{nullptr, 0, 0};
    while (pass_on(nothing, ZSTD_e_end) != 0) {
    }
  }

 private:
  std::size_t pass_on(ZSTD_inBuffer& input, ZSTD_EndDirective directive) {
    ZSTD_outBuffer output{output_.data(), output_.size(), 0};
    const auto rest = ::ZSTD_compressStream2(state_, &output, &input, directive);
    if (::ZSTD_isError(rest)) {
      fail(errc::environment, "zstd: {}", ::ZSTD_getErrorName(rest));
    }
    target_({output_.data(), output.pos});
    return rest;
  }

  byte_target target_;
  ZSTD_CCtx* state_;
  std::array<char, 65536> output_;
};

}  // namespace

std::unique_ptr<byte_source> zstd_source(const input_file& file) {
  return std::make_unique<zstd_reader>(file);
}

std::unique_ptr<byte_sink> zstd_sink(byte_target target) {
  return std::make_unique<zstd_writer>(std::move(target));
}

}  // namespace atl::graph
