#pragma once
// Bit streams, and the codes of natural numbers that a BVGraph uses in them.

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

// A bit stream is read from the highest bit of each byte on, in windows of 64 bits.

/// Malformed bits. The reader that knows their meaning adds the place.
struct malformed {
  std::string sentence;
};

/// Reads bits. The memory is one buffer, however long the file is.
class bit_reader {
 public:
  /// Number of bits that a `peek` guarantees.
  static constexpr unsigned certain_bits = 57;

  /// Reads the bits of a file, which must outlive this object.
  explicit bit_reader(const input_file& file);

  /// Reads bits in memory.
  explicit bit_reader(std::string bytes);

  bit_reader(const bit_reader&) = delete;
  bit_reader& operator=(const bit_reader&) = delete;

  /// A position in the stream that a loop keeps in registers. A cursor sees only the bits in the
  /// buffer.
  class cursor {
   public:
    std::uint64_t peek() const { return window_at(bytes_, at_); }

    /// Advances like the stream. Returns false if the buffer ends.
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

  /// Returns a cursor at the present position, which is valid until the next read of the stream.
  cursor here() const {
    return {bytes_.data(), position_ - 8 * first_byte_, safe_ - 8 * first_byte_};
  }

  /// Moves the stream to the position of a cursor.
  void follow(const cursor& to) { position_ = to.at_ + 8 * first_byte_; }

  /// Returns the number of bits of the whole stream.
  std::uint64_t bits() const { return bits_; }

  std::uint64_t position() const { return position_; }

  /// Moves to any position up to the end. Throws `error` if the file cannot be read.
  void seek(std::uint64_t position);

  /// Returns the next bits, the first one highest. Zeros follow the end.
  std::uint64_t peek() const { return window_at(bytes_.data(), position_ - 8 * first_byte_); }

  /// Skips at most `certain_bits` bits. Throws `malformed` behind the end.
  void skip(std::uint64_t count) {
    position_ += count;
    if (position_ > safe_) [[unlikely]]
      refill();
  }

  /// Returns the next `count` bits as a number; `count` is at most 64. Throws `malformed` behind
  /// the end.
  std::uint64_t take(unsigned count) {
    return count <= certain_bits ? take_some(count) : take_some(count - 32) << 32 | take_some(32);
  }

  /// Counts the zeros before the next one, and skips that one. Throws `malformed` behind the end.
  std::uint64_t take_unary() {
    std::uint64_t zeros = 0;
    for (; peek() == 0; zeros += certain_bits) skip(certain_bits);
    const auto more = static_cast<unsigned>(std::countl_zero(peek()));
    skip(more + 1);
    return zeros + more;
  }

  /// Returns true if only fewer than 64 zeros follow, which writers of 64-bit words leave.
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
// A word is stored from its highest bit on:
//   `unary`   n zeros and a one.
//   `gamma`   As many zeros as n + 1 has bits after its first, then n + 1.
//   `delta`   The number of those bits in gamma, then the bits.
//   `zeta`    With k: n + 1 has h * k to h * k + k - 1 bits after its first. The word is h in
//             unary, then the distance of n + 1 from 2^(h * k), in a minimal binary code.
//   `nibble`  Groups of three bits, from the highest on. A bit precedes each, 1 for the last.
//   `golomb`  With m: n / m in unary, then n % m in a minimal binary code.

enum class code_kind : std::uint8_t { unary, gamma, delta, zeta, nibble, golomb };

/// Returns the name of a code in the flags of a file, such as "GAMMA".
std::string_view name_of(code_kind kind);

struct code {
  code_kind kind = code_kind::gamma;
  std::uint64_t parameter = 0;  ///< k of zeta, 1 to 15; m of golomb, 1 to 2^31 - 1

  friend bool operator==(const code&, const code&) = default;
};

/// A word: zeros, then the lowest `tail_bits` bits of `tail`, the first of which is usually a one.
struct code_word {
  std::uint64_t zeros = 0;
  uint128 tail = 0;
  unsigned tail_bits = 0;

  std::uint64_t bits() const { return zeros + tail_bits; }
};

/// Returns the word of a value below 2^50.
code_word word_of(code how, std::uint64_t value);

/// Returns the length of a word without making it.
std::uint64_t bits_of(code how, std::uint64_t value);

/// Maps integers to natural numbers: 0, -1, 1, -2, 2, ... become 0, 1, 2, 3, 4, ...
constexpr std::uint64_t natural_of(std::int64_t integer) {
  const auto twice = static_cast<std::uint64_t>(integer) << 1;
  return integer < 0 ? ~twice : twice;
}

/// Inverts `natural_of`.
constexpr std::int64_t integer_of(std::uint64_t natural) {
  const auto half = static_cast<std::int64_t>(natural >> 1);
  return (natural & 1) == 0 ? half : ~half;
}

// A bit stream is written from the highest bit of each byte on.

class bit_writer {
 public:
  /// Complete bytes go to `target`, many at a time.
  explicit bit_writer(byte_target target) : target_(std::move(target)) {}

  void put(const code_word& word);
  void put(code how, std::uint64_t value) { put(word_of(how, value)); }

  /// Returns the number of bits so far.
  std::uint64_t written() const { return written_; }

  /// Fills the last byte with zeros and hands over the rest. Call it last.
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

// Words of one code are read by a table if they are short, otherwise by arithmetic.

class code_reader {
 public:
  /// Upper bound of values in a graph. Sums of some 10,000 such values fit into 64 bits.
  static constexpr std::uint64_t largest_value = (std::uint64_t{1} << 50) - 1;

  explicit code_reader(code how);

  /// Returns the next value. Throws `malformed` behind the end, and for a value above the largest.
  std::uint64_t read(bit_reader& bits) const {
    const auto entry = short_words_[bits.peek() >> (64 - table_bits)];
    if (entry == 0) [[unlikely]]
      return read_long(bits);
    bits.skip(entry & 0xff);
    return entry >> 8;
  }

  /// Reads increasing numbers. Each is stored as its distance from the previous number, minus 1;
  /// the first follows `last`. Throws `malformed` like `read`.
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
  // Indexed by the next bits: the value of the word with which they begin, and its length in the
  // lowest byte. The entry is 0 if the word is longer.
  std::array<std::uint32_t, std::size_t{1} << table_bits> short_words_{};
};

}  // namespace atl::graph::bvgraph
