#pragma once
// Bit streams, and the codes of natural numbers in a BVGraph.

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

// Reads a bit stream. The first bit of a byte is its highest bit. Bits are read in windows of 64
// bits.

/// An exception for malformed bits. The caller of the `bit_reader`, which knows the meaning of the
/// bits, adds the place to the message.
struct malformed {
  std::string sentence;
};

/// Reads bits from a file or from memory. The object has one buffer, whose size does not depend on
/// the length of the file.
class bit_reader {
 public:
  /// Smallest number of bits of the stream that a `peek` returns.
  static constexpr unsigned certain_bits = 57;

  /// Reads the bits of a file, which must outlive this object.
  explicit bit_reader(const input_file& file);

  /// Reads bits in memory.
  explicit bit_reader(std::string bytes);

  bit_reader(const bit_reader&) = delete;
  bit_reader& operator=(const bit_reader&) = delete;

  /// A position in the stream that a loop can keep in registers. A cursor reads only bits that are
  /// in the buffer.
  class cursor {
   public:
    std::uint64_t peek() const { return window_at(bytes_, at_); }

    /// Skips bits, like `bit_reader::skip`. Returns false if the buffer ends.
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
    std::uint64_t at_;  // position relative to `bytes_`
    std::uint64_t safe_;
  };

  /// Returns a cursor at the current position. The cursor is valid until the next read of the
  /// stream.
  cursor here() const {
    return {bytes_.data(), position_ - 8 * first_byte_, safe_ - 8 * first_byte_};
  }

  /// Moves the stream to the position of a cursor.
  void follow(const cursor& to) { position_ = to.at_ + 8 * first_byte_; }

  /// Returns the number of bits of the whole stream.
  std::uint64_t bits() const { return bits_; }

  std::uint64_t position() const { return position_; }

  /// Moves to a position, which may be the end of the stream. Throws `error` if the file cannot be
  /// read.
  void seek(std::uint64_t position);

  /// Returns the next bits of the stream; the first of them is the highest bit of the result. Bits
  /// after the end of the stream are zeros.
  std::uint64_t peek() const { return window_at(bytes_.data(), position_ - 8 * first_byte_); }

  /// Skips at most `certain_bits` bits. Throws `malformed` if the stream ends earlier.
  void skip(std::uint64_t count) {
    position_ += count;
    if (position_ > safe_) [[unlikely]]
      refill();
  }

  /// Returns the next `count` bits as a number; `count` is at most 64. Throws `malformed` if the
  /// stream ends earlier.
  std::uint64_t take(unsigned count) {
    return count <= certain_bits ? take_some(count) : take_some(count - 32) << 32 | take_some(32);
  }

  /// Returns the number of zeros before the next bit that is 1, and moves behind that bit. Throws
  /// `malformed` if the stream ends earlier.
  std::uint64_t take_unary() {
    std::uint64_t zeros = 0;
    for (; peek() == 0; zeros += certain_bits) skip(certain_bits);
    const auto more = static_cast<unsigned>(std::countl_zero(peek()));
    skip(more + 1);
    return zeros + more;
  }

  /// Returns true if fewer than 64 bits are left and all of them are zeros. Programs that write
  /// words of 64 bits leave zeros at the end.
  bool only_padding_follows();

 private:
  static constexpr std::size_t padding = 16;  // a window may begin at the last byte of the buffer

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

  const input_file* file_ = nullptr;  // the file; null if all bytes are in memory
  std::vector<char> bytes_;           // bytes of a part of the stream, followed by the padding
  std::uint64_t bits_ = 0;
  std::uint64_t first_byte_ = 0;
  std::uint64_t safe_ = 0;  // windows that begin at this position or earlier are within the bytes
  std::uint64_t position_ = 0;
};

// The codes of natural numbers in a BVGraph. (Boldi and Vigna, "The WebGraph framework I:
// compression techniques", 2004, and "Codes for the World Wide Web", 2005.)
//
// The bits of a code word are written from the highest bit on. A number n has these code words:
//   `unary`   The word has n zeros, followed by a one.
//   `gamma`   If n + 1 has b bits, the word has b - 1 zeros, followed by these b bits.
//   `delta`   If n + 1 has b bits after its first bit, the word is b in gamma, and then the b bits.
//   `zeta`    For a parameter k, n + 1 is in a range from 2^(h * k) to 2^((h + 1) * k) - 1. The
//             word is h in unary, and then the distance of n + 1 from 2^(h * k) in a minimal binary
//             code.
//   `nibble`  The word has groups of three bits of n, from the highest on. Before each group, one
//             bit tells whether the group is the last.
//   `golomb`  For a parameter m, the word is n / m in unary, and then n % m in a minimal binary
//             code.

enum class code_kind : std::uint8_t { unary, gamma, delta, zeta, nibble, golomb };

/// Returns the name that the flags of a file use for the code, such as "GAMMA".
std::string_view name_of(code_kind kind);

struct code {
  code_kind kind = code_kind::gamma;
  std::uint64_t parameter = 0;  ///< k of zeta, 1 to 15; m of golomb, 1 to 2^31 - 1

  friend bool operator==(const code&, const code&) = default;
};

/// A code word: zeros, followed by the lowest `tail_bits` bits of `tail`. The highest of the
/// `tail_bits` bits is usually a one.
struct code_word {
  std::uint64_t zeros = 0;
  uint128 tail = 0;
  unsigned tail_bits = 0;

  std::uint64_t bits() const { return zeros + tail_bits; }
};

/// Returns the code word of a value below 2^50.
code_word word_of(code how, std::uint64_t value);

/// Returns the number of bits of a code word, without making the word.
std::uint64_t bits_of(code how, std::uint64_t value);

/// Maps integers to natural numbers: 0, -1, 1, -2, 2, ... become 0, 1, 2, 3, 4, ...
constexpr std::uint64_t natural_of(std::int64_t integer) {
  const auto twice = static_cast<std::uint64_t>(integer) << 1;
  return integer < 0 ? ~twice : twice;
}

/// Returns the integer that `natural_of` maps to this number.
constexpr std::int64_t integer_of(std::uint64_t natural) {
  const auto half = static_cast<std::int64_t>(natural >> 1);
  return (natural & 1) == 0 ? half : ~half;
}

// Writes a bit stream. The first bit of a byte is its highest bit.

class bit_writer {
 public:
  /// Makes a writer that calls `target` with complete bytes, many at a time.
  explicit bit_writer(byte_target target) : target_(std::move(target)) {}

  void put(const code_word& word);
  void put(code how, std::uint64_t value) { put(word_of(how, value)); }

  /// Returns the number of bits that were written so far.
  std::uint64_t written() const { return written_; }

  /// Fills the last byte with zeros, and passes the remaining bytes to the target. The caller must
  /// not use the writer afterwards.
  void finish();

 private:
  static constexpr std::size_t buffer_bytes = 256 * 1024;

  void put_bits(std::uint64_t value, unsigned count);
  void take_bytes();

  byte_target target_;
  std::string bytes_;
  std::uint64_t written_ = 0;
  uint128 open_ = 0;  // the last bits, which do not fill a byte yet
  unsigned open_bits_ = 0;
};

// Reads values in one code. A table decodes short code words, and arithmetic decodes the others.

class code_reader {
 public:
  /// Upper bound of values in a graph. A sum of up to 10,000 values fits into 64 bits.
  static constexpr std::uint64_t largest_value = (std::uint64_t{1} << 50) - 1;

  explicit code_reader(code how);

  /// Returns the next value. Throws `malformed` if the stream ends earlier, or if the value exceeds
  /// `largest_value`.
  std::uint64_t read(bit_reader& bits) const {
    const auto entry = short_words_[bits.peek() >> (64 - table_bits)];
    if (entry == 0) [[unlikely]]
      return read_long(bits);
    bits.skip(entry & 0xff);
    return entry >> 8;
  }

  /// Reads increasing numbers. Each number is stored as its distance from the previous number,
  /// minus 1. `last` is the number before the first number to read. Throws the errors of `read`.
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
  // A table indexed by the next bits. An entry has the value of the code word with which its index
  // begins, and the length of the code word in the lowest byte. If the code word is longer than the
  // index, the entry is 0.
  std::array<std::uint32_t, std::size_t{1} << table_bits> short_words_{};
};

}  // namespace atl::graph::bvgraph
