#include "atoll/shmem/reduction.hpp"

#include "atoll/shmem/ordering.hpp"
#include "atoll/shmem/remote.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace atl::shmem {
namespace {

/// Elements that this PE folds.
struct range {
  std::size_t begin;
  std::size_t end;
};

/// Who alone gets the result folds it alone: others need not have a target.
range share_of(const group& all, std::size_t elements, int to) {
  if (to != k_everyone) return {0, to == all.me ? elements : 0};
  const auto size = static_cast<std::size_t>(all.size);
  const auto me = static_cast<std::size_t>(all.me);
  const std::size_t each = elements / size;
  const std::size_t more = elements % size;
  const std::size_t begin = me * each + std::min(me, more);
  return {begin, begin + each + (me < more ? 1 : 0)};
}

/// Folds one piece of the sources after another.
class piecewise {
 public:
  piecewise(const collective& of, void* dest, const void* source, const folding& what, int to)
      : of_(of),
        dest_(static_cast<std::byte*>(dest)),
        source_(static_cast<const std::byte*>(source)),
        what_(what),
        to_(to),
        sources_(static_cast<std::size_t>(of.all.size)) {
    const auto far = static_cast<std::size_t>(count_far());
    most_ = std::max<std::size_t>(1, bytes_of_piece(far) / what.element_bytes);
  }

  void fold(const range& share) {
    const std::size_t most = std::min(most_, share.end - share.begin);
    room_.resize(most * what_.element_bytes * (far_ + 1));
    for (std::size_t begin = share.begin; begin < share.end; begin += most)
      fold_piece(begin, std::min(most, share.end - begin));
  }

 private:
  /// Near sources are read where they are, and pieces stay in the cache; of far ones there is a
  /// copy here.
  std::size_t bytes_of_piece(std::size_t far) {
    constexpr std::size_t k_near = 16384;
    constexpr std::size_t k_most_far = 262144;
    constexpr std::size_t k_copies = 4194304;
    far_ = far;
    return far == 0 ? k_near : std::clamp(k_copies / far, k_near, k_most_far);
  }

  int count_far() const {
    int far = 0;
    for (int i = 0; i < of_.all.size; ++i)
      far += locate(of_.call, source_, what_.element_bytes, of_.all.pe_of(i)).reached == nullptr;
    return far;
  }

  void find_sources(std::size_t offset, std::size_t bytes) {
    std::byte* copy = room_.data() + bytes;
    for (int i = 0; i < of_.all.size; ++i) {
      const int pe = of_.all.pe_of(i);
      const std::byte* piece = locate(of_.call, source_ + offset, bytes, pe).reached;
      if (piece == nullptr) {
        get_bytes_nbi(of_.call, copy, source_ + offset, bytes, pe);
        piece = copy;
        copy += bytes;
      }
      sources_[static_cast<std::size_t>(i)] = piece;
    }
    if (far_ != 0) quiet(of_.call);
  }

  void fold_piece(std::size_t first, std::size_t count) {
    const std::size_t offset = first * what_.element_bytes;
    const std::size_t bytes = count * what_.element_bytes;
    find_sources(offset, bytes);
    std::memcpy(room_.data(), sources_[0], bytes);
    for (std::size_t i = 1; i < sources_.size(); ++i) what_.fold(room_.data(), sources_[i], count);
    for (int i = 0; i < of_.all.size; ++i)
      if (to_ == k_everyone || to_ == i)
        put_bytes_nbi(of_.call, dest_ + offset, room_.data(), bytes, of_.all.pe_of(i));
    if (far_ != 0) quiet(of_.call);
  }

  const collective& of_;
  std::byte* const dest_;
  const std::byte* const source_;
  const folding& what_;
  const int to_;
  std::size_t far_ = 0;   // members whose memory is not reached
  std::size_t most_ = 0;  // elements of a piece
  std::vector<const std::byte*> sources_;
  std::vector<std::byte> room_;  // for the result, and behind it copies
};

/// What is little goes with the meeting.
void reduce_little(const collective& of, void* dest, const void* source, const folding& what,
                   int to) {
  alignas(16) std::array<std::byte, sizeof(sync_words::data)> value;
  const std::size_t bytes = what.elements * what.element_bytes;
  std::memcpy(value.data(), source, bytes);
  meet_with(of, value.data(), what.elements, what.element_bytes, what.fold);
  if (to == k_everyone || to == of.all.me) std::memcpy(dest, value.data(), bytes);
}

}  // namespace

void reduce_elements(const collective& of, void* dest, const void* source, const folding& what,
                     int to) {
  if (what.elements * what.element_bytes <= most_carried(of.all))
    return reduce_little(of, dest, source, what, to);
  meet(of);
  const range share = share_of(of.all, what.elements, to);
  if (share.begin != share.end) piecewise(of, dest, source, what, to).fold(share);
  quiet(of.call);
  meet(of);
}

}  // namespace atl::shmem
