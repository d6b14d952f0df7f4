#include "atoll/graph/io/bvgraph/codes.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <array>

namespace atl::graph::bvgraph {
namespace {

constexpr std::uint64_t k_buffer_bytes = 256 * 1024;

}  // namespace

bit_reader::bit_reader(const input_file& file)
    : file_(&file),
      bytes_(std::min(k_buffer_bytes, file.size()) + padding),
      bits_(8 * file.size()) {
  load(0);
}

bit_reader::bit_reader(std::string bytes)
    : bytes_(bytes.begin(), bytes.end()), bits_(8 * bytes.size()), safe_(bits_) {
  bytes_.resize(bytes.size() + padding);
}

void bit_reader::seek(std::uint64_t position) {
  ATOLL_ASSERT(position <= bits_, "a place behind the end of the stream");
  position_ = position;
  if (position / 8 < first_byte_ || position > safe_) load(position / 8);
}

bool bit_reader::only_padding_follows() {
  constexpr std::uint64_t most = 63;
  const auto rest = bits_ - position_;
  return rest <= most && take(static_cast<unsigned>(rest)) == 0;
}

void bit_reader::refill() {
  if (position_ > bits_) throw malformed{"the file ends here, and the list does not"};
  load(position_ / 8);
}

void bit_reader::load(std::uint64_t first_byte) {
  const auto room = bytes_.size() - padding;
  const auto wanted = std::min<std::uint64_t>(room, file_->size() - first_byte);
  file_->read_exactly(first_byte, {bytes_.data(), wanted});
  std::fill_n(bytes_.begin() + static_cast<std::ptrdiff_t>(wanted), padding, '\0');
  first_byte_ = first_byte;
  const bool is_rest = first_byte + wanted == file_->size();
  safe_ = is_rest ? bits_ : 8 * (first_byte + wanted - padding);
}

namespace {

constexpr std::array<std::string_view, 6> code_names = {"UNARY", "GAMMA",  "DELTA",
                                                        "ZETA",  "NIBBLE", "GOLOMB"};

constexpr uint128 power_of_two(unsigned exponent) { return uint128{1} << exponent; }

/// Appends `value` in the minimal binary code, which has words of two lengths. Values below
/// `short_ones` take bits - 1 bits, and all other values take `bits` bits.
void append_minimal(code_word& word, std::uint64_t value, std::uint64_t short_ones, unsigned bits) {
  const bool is_short = value < short_ones;
  const unsigned length = is_short ? bits - 1 : bits;
  word.tail = word.tail << length | (is_short ? value : value + short_ones);
  word.tail_bits += length;
}

code_word gamma_word(std::uint64_t value) {
  const unsigned bits = floor_log2(value + 1);
  return {bits, value + 1, bits + 1};
}

code_word delta_word(std::uint64_t value) {
  const unsigned bits = floor_log2(value + 1);
  code_word word = gamma_word(bits);
  word.tail = word.tail << bits | (value + 1 - power_of_two(bits));
  word.tail_bits += bits;
  return word;
}

code_word zeta_word(std::uint64_t value, unsigned k) {
  const unsigned h = floor_log2(value + 1) / k;
  const auto least = static_cast<std::uint64_t>(power_of_two(h * k));
  code_word word{h, 1, 1};
  append_minimal(word, value + 1 - least, least, h * k + k);
  return word;
}

code_word nibble_word(std::uint64_t value) {
  constexpr unsigned group = 3;
  code_word word;
  for (int i = static_cast<int>(value == 0 ? 0 : floor_log2(value) / group); i >= 0; --i) {
    const std::uint64_t last = i == 0 ? 8 : 0;
    const auto digit = value >> (static_cast<unsigned>(i) * group) & 7;
    word.tail = word.tail << (group + 1) | last | digit;
    word.tail_bits += group + 1;
  }
  return word;
}

code_word golomb_word(std::uint64_t value, std::uint64_t modulus) {
  code_word word{value / modulus, 1, 1};
  const unsigned bits = ceil_log2(modulus);
  const auto unused = static_cast<std::uint64_t>(power_of_two(bits)) - modulus;
  append_minimal(word, value % modulus, unused, bits);
  return word;
}

std::uint64_t gamma_bits(std::uint64_t value) { return 2 * floor_log2(value + 1) + 1; }

std::uint64_t delta_bits(std::uint64_t value) {
  const unsigned bits = floor_log2(value + 1);
  return gamma_bits(bits) + bits;
}

std::uint64_t zeta_bits(std::uint64_t value, std::uint64_t k) {
  const auto h = floor_log2(value + 1) / k;
  const bool is_short = value + 1 < std::uint64_t{2} << h * k;
  return h + 1 + h * k + k - (is_short ? 1 : 0);
}

}  // namespace

std::string_view name_of(code_kind kind) { return code_names[static_cast<std::size_t>(kind)]; }

code_word word_of(code how, std::uint64_t value) {
  switch (how.kind) {
  case code_kind::unary:
    return {value, 1, 1};
  case code_kind::gamma:
    return gamma_word(value);
  case code_kind::delta:
    return delta_word(value);
  case code_kind::zeta:
    return zeta_word(value, static_cast<unsigned>(how.parameter));
  case code_kind::nibble:
    return nibble_word(value);
  case code_kind::golomb:
    break;
  }
  return golomb_word(value, how.parameter);
}

std::uint64_t bits_of(code how, std::uint64_t value) {
  switch (how.kind) {
  case code_kind::unary:
    return value + 1;
  case code_kind::gamma:
    return gamma_bits(value);
  case code_kind::delta:
    return delta_bits(value);
  case code_kind::zeta:
    return zeta_bits(value, how.parameter);
  case code_kind::nibble:
  case code_kind::golomb:
    break;
  }
  return word_of(how, value).bits();
}

namespace {

constexpr unsigned k_half = 64;

}  // namespace

void bit_writer::put(const code_word& word) {
  for (auto zeros = word.zeros; zeros > 0;) {
    const auto some = std::min<std::uint64_t>(zeros, k_half);
    put_bits(0, static_cast<unsigned>(some));
    zeros -= some;
  }
  if (word.tail_bits > k_half)
    put_bits(static_cast<std::uint64_t>(word.tail >> k_half), word.tail_bits - k_half);
  put_bits(static_cast<std::uint64_t>(word.tail), std::min(word.tail_bits, k_half));
}

void bit_writer::put_bits(std::uint64_t value, unsigned count) {
  open_ = open_ << count | value;
  open_bits_ += count;
  written_ += count;
  take_bytes();
}

void bit_writer::take_bytes() {
  while (open_bits_ >= 8) {
    open_bits_ -= 8;
    bytes_ += static_cast<char>(static_cast<unsigned char>(open_ >> open_bits_));
  }
  if (bytes_.size() < buffer_bytes) return;
  target_(bytes_);
  bytes_.clear();
}

void bit_writer::finish() {
  if (open_bits_ > 0) {
    open_ <<= 8 - open_bits_;
    open_bits_ = 8;
  }
  take_bytes();
  target_(bytes_);
  bytes_.clear();
}

namespace {

// Largest number of bits that a value in a graph takes, in any code.
constexpr unsigned k_most_value_bits = 60;

[[noreturn]] void refuse_word() { throw malformed{"a number that is too large for any graph"}; }

void check_bits(std::uint64_t value_bits) {
  if (value_bits > k_most_value_bits) refuse_word();
}

std::uint64_t read_gamma(bit_reader& bits) {
  const auto more = bits.take_unary();
  check_bits(more);
  const auto first = std::uint64_t{1} << more;
  return (first | bits.take(static_cast<unsigned>(more))) - 1;
}

std::uint64_t read_delta(bit_reader& bits) {
  const auto more = read_gamma(bits);
  check_bits(more);
  const auto first = std::uint64_t{1} << more;
  return (first | bits.take(static_cast<unsigned>(more))) - 1;
}

/// Reads a value in the minimal binary code that `append_minimal` writes.
std::uint64_t read_minimal(bit_reader& bits, std::uint64_t short_ones, unsigned length) {
  if (length == 0) return 0;
  const auto begin = bits.take(length - 1);
  return begin < short_ones ? begin : (begin << 1 | bits.take(1)) - short_ones;
}

std::uint64_t read_zeta(bit_reader& bits, std::uint64_t k) {
  const auto h = bits.take_unary();
  if (h > k_most_value_bits) refuse_word();
  check_bits(h * k + k);
  const auto least = std::uint64_t{1} << h * k;
  return read_minimal(bits, least, static_cast<unsigned>(h * k + k)) + least - 1;
}

std::uint64_t read_nibble(bit_reader& bits) {
  std::uint64_t value = 0;
  for (;;) {
    const auto group = bits.take(4);
    value = value << 3 | (group & 7);
    if (group >= 8) return value;
    check_bits(floor_log2(value | 1) + 3);
  }
}

std::uint64_t read_golomb(bit_reader& bits, std::uint64_t modulus) {
  const auto quotient = bits.take_unary();
  if (quotient >= (std::uint64_t{1} << k_most_value_bits) / modulus) refuse_word();
  const auto length = ceil_log2(modulus);
  const auto unused = (std::uint64_t{1} << length) - modulus;
  return quotient * modulus + read_minimal(bits, unused, length);
}

}  // namespace

code_reader::code_reader(code how) : how_(how) {
  for (std::uint64_t value = 0;; ++value) {
    const auto word = word_of(how, value);
    if (word.bits() > table_bits) return;
    const auto length = static_cast<unsigned>(word.bits());
    const auto first = static_cast<std::uint64_t>(word.tail) << (table_bits - length);
    std::fill_n(short_words_.begin() + static_cast<std::ptrdiff_t>(first),
                std::size_t{1} << (table_bits - length),
                static_cast<std::uint32_t>(value << 8 | length));
  }
}

std::uint64_t code_reader::read_long(bit_reader& bits) const {
  const auto value = read_by_arithmetic(bits);
  if (value > largest_value) refuse_word();
  return value;
}

std::uint64_t code_reader::read_by_arithmetic(bit_reader& bits) const {
  switch (how_.kind) {
  case code_kind::unary:
    return bits.take_unary();
  case code_kind::gamma:
    return read_gamma(bits);
  case code_kind::delta:
    return read_delta(bits);
  case code_kind::zeta:
    return read_zeta(bits, how_.parameter);
  case code_kind::nibble:
    return read_nibble(bits);
  case code_kind::golomb:
    break;
  }
  return read_golomb(bits, how_.parameter);
}

}  // namespace atl::graph::bvgraph
