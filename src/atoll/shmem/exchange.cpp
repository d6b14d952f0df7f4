#include "atoll/shmem/exchange.hpp"

#include "atoll/shmem/collective_calls.hpp"
#include "atoll/shmem/meeting.hpp"
#include "atoll/shmem/ordering.hpp"
#include "atoll/shmem/remote.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace atl::shmem {
namespace {

std::byte* beyond(void* at, std::size_t bytes) { return static_cast<std::byte*>(at) + bytes; }
const std::byte* beyond(const void* at, std::size_t bytes) {
  return static_cast<const std::byte*>(at) + bytes;
}

/// Combines the data of two members by a bitwise or. Each byte is set by one member and is 0 in the
/// data of all other members, so the result has the bytes of all members.
void join_bytes(void* into, const void* from, std::size_t count) {
  auto* const left = static_cast<unsigned char*>(into);
  const auto* const right = static_cast<const unsigned char*>(from);
  for (std::size_t i = 0; i < count; ++i) left[i] = static_cast<unsigned char>(left[i] | right[i]);
}

/// A buffer, zero at first, for data that `meet_with` transfers.
struct carried_bytes {
  alignas(16) std::byte of_all[sizeof(sync_words::data)] = {};
};

/// Calls `take` for all members, the calling PE last. Each PE begins with the member after itself,
/// so that the PEs do not all read from the same member at the same time.
template <class Take>
void for_others_first(const group& all, const Take& take) {
  for (int i = 1; i <= all.size; ++i) take((all.me + i) % all.size);
}

/// Returns the size in bytes of each member's contribution. Each member must have stored its size
/// in `sync_words::bytes` before the last meeting (barrier).
std::vector<long> sizes_of_all(const collective& of) {
  const group& all = of.all;
  std::vector<long> sizes(static_cast<std::size_t>(all.size));
  for (int i = 0; i < all.size; ++i)
    get_bytes_nbi(of.call, &sizes[static_cast<std::size_t>(i)], &all.words->bytes, sizeof(long),
                  all.pe_of(i));
  quiet(of.call);
  return sizes;
}

void take_differing(const collective& of, void* dest, const void* source) {
  const std::vector<long> sizes = sizes_of_all(of);
  std::vector<std::size_t> begins;
  std::size_t begin = 0;
  for (const long size : sizes) {
    begins.push_back(begin);
    begin += static_cast<std::size_t>(size);
  }
  for_others_first(of.all, [&](int member) {
    const auto i = static_cast<std::size_t>(member);
    if (sizes[i] != 0)
      get_bytes_nbi(of.call, beyond(dest, begins[i]), source, static_cast<std::size_t>(sizes[i]),
                    of.all.pe_of(member));
  });
  quiet(of.call);
}

void take_equal(const collective& of, void* dest, const void* source, std::size_t bytes) {
  for_others_first(of.all, [&](int member) {
    get_bytes_nbi(of.call, beyond(dest, static_cast<std::size_t>(member) * bytes), source, bytes,
                  of.all.pe_of(member));
  });
  quiet(of.call);
}

void take_block(const collective& of, void* dest, const void* source, const blocks& each,
                int member) {
  const int pe = of.all.pe_of(member);
  const std::size_t first_here = static_cast<std::size_t>(member) * each.elements;
  const std::size_t first_there = static_cast<std::size_t>(of.all.me) * each.elements;
  const std::size_t dest_step = static_cast<std::size_t>(each.dest_stride) * each.element_bytes;
  const std::size_t source_step = static_cast<std::size_t>(each.source_stride) * each.element_bytes;
  if (each.dest_stride == 1 && each.source_stride == 1)
    return get_bytes_nbi(of.call, beyond(dest, first_here * dest_step),
                         beyond(source, first_there * source_step),
                         each.elements * each.element_bytes, pe);
  for (std::size_t i = 0; i < each.elements; ++i)
    get_bytes_nbi(of.call, beyond(dest, (first_here + i) * dest_step),
                  beyond(source, (first_there + i) * source_step), each.element_bytes, pe);
}

}  // namespace

void broadcast_bytes(const collective& of, void* dest, const void* source, std::size_t bytes,
                     int root, bool but_root) {
  const group& all = of.all;
  const bool is_root = all.me == root;
  const bool takes = !is_root || (!but_root && dest != source);
  if (bytes <= most_carried(all)) {
    carried_bytes carried;
    if (is_root) std::memcpy(carried.of_all, source, bytes);
    meet_with(of, carried.of_all, bytes, 1, join_bytes);
    if (takes) std::memcpy(dest, carried.of_all, bytes);
    return;
  }
  meet(of);
  if (takes) get_bytes(of.call, dest, source, bytes, all.pe_of(root));
  meet_at(of, root);
}

void gather_bytes(const collective& of, void* dest, const void* source, std::size_t bytes, int to) {
  const group& all = of.all;
  const std::size_t bytes_of_all = static_cast<std::size_t>(all.size) * bytes;
  const bool takes = to == k_everyone || to == all.me;
  if (bytes_of_all <= most_carried(all)) {
    carried_bytes carried;
    std::memcpy(carried.of_all + static_cast<std::size_t>(all.me) * bytes, source, bytes);
    meet_with(of, carried.of_all, bytes_of_all, 1, join_bytes);
    if (takes) std::memcpy(dest, carried.of_all, bytes_of_all);
    return;
  }
  meet(of);
  if (takes) take_equal(of, dest, source, bytes);
  meet(of);
}

void gather_differing(const collective& of, void* dest, const void* source, std::size_t bytes,
                      int to) {
  of.all.words->bytes = static_cast<long>(bytes);
  meet(of);
  if (to == k_everyone || to == of.all.me) take_differing(of, dest, source);
  meet(of);
  of.all.words->bytes = 0;
}

void exchange_blocks(const collective& of, void* dest, const void* source, const blocks& each) {
  meet(of);
  for_others_first(of.all, [&](int member) { take_block(of, dest, source, each, member); });
  quiet(of.call);
  meet(of);
}

namespace {

/// The elements from index `begin` up to `end`.
struct range {
  std::size_t begin;
  std::size_t end;
};

/// Returns the range of elements that this PE reduces. If only member `to` gets the result, member
/// `to` reduces all elements, because only its target array exists.
range share_of(const group& all, std::size_t elements, int to) {
  if (to != k_everyone) return {0, to == all.me ? elements : 0};
  const auto size = static_cast<std::size_t>(all.size);
  const auto me = static_cast<std::size_t>(all.me);
  const std::size_t each = elements / size;
  const std::size_t more = elements % size;
  const std::size_t begin = me * each + std::min(me, more);
  return {begin, begin + each + (me < more ? 1 : 0)};
}

/// Reduces a range of elements piece by piece, which limits the memory for copies of far sources. A
/// far source is the array of a member whose memory is not directly accessible.
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
  /// Returns the size of a piece in bytes if the memory of `far` members is not directly
  /// accessible. If `far` is 0, sources are read in place, and a piece is small enough to stay in
  /// the cache. Sources on other nodes are copied over the network, for which larger pieces are
  /// faster.
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
  std::size_t far_ = 0;   // number of members whose memory is not directly accessible
  std::size_t most_ = 0;  // largest number of elements of a piece
  std::vector<const std::byte*> sources_;
  // Memory for the result of a piece, followed by the copies of far sources.
  std::vector<std::byte> room_;
};

/// Reduces few elements, whose total size is at most `most_carried` bytes. The function `meet_with`
/// combines the elements along a tree of the members.
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
