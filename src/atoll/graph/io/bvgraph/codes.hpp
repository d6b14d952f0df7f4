#pragma once
// Streams of bits, and the codes of natural numbers of which a BVGraph is made in them.

#include "atoll/base/bits.hpp"
#include "atoll/graph/io/byte_streams.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace atl::graph::bvgraph {

// A stream of bits, read from the highest bit of each byte on, by windows of 64 bits.

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

// The codes of natural numbers of which a BVGraph is made. (Boldi and Vigna, "The WebGraph
// framework I: compression techniques", 2004, and "Codes for the World Wide Web", 2005.)
//
// A word stands in the file from its highest bit on:
//   unary    n zeros and a one
//   gamma    as many zeros as n + 1 has bits after its first, then n + 1
//   delta    the number of those bits in gamma, then they
//   zeta     of k: n + 1 has h * k to h * k + k - 1 bits after its first; h in unary, then how far
//            n + 1 is from 2^(h * k), in a minimal binary code
//   nibble   groups of three bits, from the highest on; before each a bit, 1 for the last
//   golomb   of m: n / m in unary, then n % m in a minimal binary code

enum class code_kind : std::uint8_t { unary, gamma, delta, zeta, nibble, golomb };

/// As in the flags of a file: "GAMMA".
std::string_view name_of(code_kind kind);

struct code {
  code_kind kind = code_kind::gamma;
  std::uint64_t parameter = 0;  ///< k of zeta, 1 to 15; m of golomb, 1 to 2^31 - 1

  friend bool operator==(const code&, const code&) = default;
};

/// Zeros, and then the lowest `tail_bits` bits of `tail`, the first of which is mostly a one.
struct code_word {
  std::uint64_t zeros = 0;
  uint128 tail = 0;
  unsigned tail_bits = 0;

  std::uint64_t bits() const { return zeros + tail_bits; }
};

/// For values below 2^50.
code_word word_of(code how, std::uint64_t value);

/// The length of that word, found without making it.
std::uint64_t bits_of(code how, std::uint64_t value);

/// Integers as natural numbers: 0, -1, 1, -2, 2, ... become 0, 1, 2, 3, 4, ...
constexpr std::uint64_t natural_of(std::int64_t integer) {
  const auto twice = static_cast<std::uint64_t>(integer) << 1;
  return integer < 0 ? ~twice : twice;
}

/// The inverse.
constexpr std::int64_t integer_of(std::uint64_t natural) {
  const auto half = static_cast<std::int64_t>(natural >> 1);
  return (natural & 1) == 0 ? half : ~half;
}

// Writing a stream of bits, from the highest bit of each byte on.

class bit_writer {
 public:
  /// Bytes go to `target` as they are complete, many at a time.
  explicit bit_writer(byte_target target) : target_(std::move(target)) {}

  void put(const code_word& word);
  void put(code how, std::uint64_t value) { put(word_of(how, value)); }

  /// Bits so far.
  std::uint64_t written() const { return written_; }

  /// Fills the last byte with zeros and hands over the rest. Nothing is written after it.
  void finish();

 private:
  static constexpr std::size_t buffer_bytes = 256 * 1024;

  void put_bits(std::uint64_t value, unsigned count);
  void take_bytes();

  byte_target target_;
  std::string bytes_;
  std::uint64_t written_ = 0;
  uint128 open_ = 0;  // the last bits, not yet in bytes
  unsigned open_bits_ = 0;
};

// Reading words of one code: the short ones by a table, the others by arithmetic.

class code_reader {
 public:
  /// No value of a graph is larger, and sums of some 10,000 of them fit 64 bits.
  static constexpr std::uint64_t largest_value = (std::uint64_t{1} << 50) - 1;

  explicit code_reader(code how);

  /// The next value. Throws `malformed` behind the end, and for a value above the largest.
  std::uint64_t read(bit_reader& bits) const {
    const auto entry = short_words_[bits.peek() >> (64 - table_bits)];
    if (entry == 0) [[unlikely]]
      return read_long(bits);
    bits.skip(entry & 0xff);
    return entry >> 8;
  }

  /// Reads numbers that increase, by how far each is behind the one before and 1 more; the first
  /// one is behind `last`. Throws likewise.
  void read_increasing(bit_reader& bits, std::uint64_t last,
                       std::span<std::uint64_t> numbers) const {
    auto at = bits.here();
    for (auto& number : numbers) {
      const auto entry = short_words_[at.peek() >> (64 - table_bits)];
      if (entry != 0 && at.skip(entry & 0xff)) [[likely]] {
        last += 1 + (entry >> 8);
      } else {
        bits.follow(at);
        last += 1 + read(bits);
        at = bits.here();
      }
      number = last;
    }
    bits.follow(at);
  }

 private:
  static constexpr unsigned table_bits = 11;

  std::uint64_t read_long(bit_reader& bits) const;
  std::uint64_t read_by_arithmetic(bit_reader& bits) const;

  code how_;
  // By the next bits: the value of the word they begin with, and in the lowest byte its length; 0
  // where that is longer.
  std::array<std::uint32_t, std::size_t{1} << table_bits> short_words_{};
};

}  // namespace atl::graph::bvgraph
