#include "atoll/graph/io/bvgraph/bit_reader.hpp"

#include "atoll/error.hpp"

#include <algorithm>

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

}  // namespace atl::graph::bvgraph
