#pragma once
// A stream of bits, read from the highest bit of each byte on, by windows of 64 bits.

#include "atoll/graph/io/input_file.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace atl::graph::bvgraph {

/// What is wrong with the bits; who knows what they are adds the place.
struct malformed {
  std::string sentence;
};

/// Memory: a buffer, however long the file.
class bit_reader {
 public:
  /// So many bits are certain in a `peek`.
  static constexpr unsigned certain_bits = 57;

  /// The bits of a file, which must outlive this.
  explicit bit_reader(const input_file& file);

  /// Bits in memory.
  explicit bit_reader(std::string bytes);

  bit_reader(const bit_reader&) = delete;
  bit_reader& operator=(const bit_reader&) = delete;

  /// A place in the stream that a loop keeps in registers. Knows only the bits in the buffer.
  class cursor {
   public:
    std::uint64_t peek() const { return window_at(bytes_, at_); }

    /// Goes on like the stream, unless the buffer ends; then returns false.
    bool skip(std::uint64_t count) {
      if (at_ + count > safe_) return false;
      at_ += count;
      return true;
    }

   private:
    friend bit_reader;
    cursor(const char* bytes, std::uint64_t at, std::uint64_t safe)
        : bytes_(bytes), at_(at), safe_(safe) {}

    const char* bytes_;
    std::uint64_t at_;  // from there on
    std::uint64_t safe_;
  };

  /// At the present place; valid until the stream is read otherwise.
  cursor here() const {
    return {bytes_.data(), position_ - 8 * first_byte_, safe_ - 8 * first_byte_};
  }

  /// Goes to where a cursor is.
  void follow(const cursor& to) { position_ = to.at_ + 8 * first_byte_; }

  /// Of the whole stream.
  std::uint64_t bits() const { return bits_; }

  std::uint64_t position() const { return position_; }

  /// Goes to any place up to the end. Throws `error` when the file cannot be read.
  void seek(std::uint64_t position);

  /// The next bits, the first one highest; zeros follow behind the end.
  std::uint64_t peek() const { return window_at(bytes_.data(), position_ - 8 * first_byte_); }

  /// Goes on by at most `certain_bits` bits. Throws `malformed` behind the end.
  void skip(std::uint64_t count) {
    position_ += count;
    if (position_ > safe_) [[unlikely]]
      refill();
  }

  /// The next `count` bits as a number; up to 64. Throws `malformed` behind the end.
  std::uint64_t take(unsigned count) {
    return count <= certain_bits ? take_some(count) : take_some(count - 32) << 32 | take_some(32);
  }

  /// Zeros up to the next one, and takes that, too. Throws `malformed` behind the end.
  std::uint64_t take_unary() {
    std::uint64_t zeros = 0;
    for (; peek() == 0; zeros += certain_bits) skip(certain_bits);
    const auto more = static_cast<unsigned>(std::countl_zero(peek()));
    skip(more + 1);
    return zeros + more;
  }

  /// Whether nothing follows but fewer zeros than 64, as a writer that knows only such words
  /// leaves.
  bool only_padding_follows();

 private:
  static constexpr std::size_t padding = 16;  // a window may begin at the last byte

  static std::uint64_t window_at(const char* bytes, std::uint64_t at) {
    std::uint64_t word;
    std::memcpy(&word, bytes + at / 8, sizeof(word));
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    return word << at % 8;
  }

  std::uint64_t take_some(unsigned count) {
    const auto result = peek() >> 1 >> (63 - count);
    skip(count);
    return result;
  }

  void refill();
  void load(std::uint64_t first_byte);

  const input_file* file_ = nullptr;  // null: all bytes are here
  std::vector<char> bytes_;           // a part of the stream, and the padding
  std::uint64_t bits_ = 0;
  std::uint64_t first_byte_ = 0;
  std::uint64_t safe_ = 0;  // up to this position windows lie within the bytes
  std::uint64_t position_ = 0;
};

}  // namespace atl::graph::bvgraph
