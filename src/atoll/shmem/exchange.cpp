#include "atoll/shmem/exchange.hpp"

#include "atoll/shmem/argument_checks.hpp"
#include "atoll/shmem/meeting.hpp"
#include "atoll/shmem/ordering.hpp"
#include "atoll/shmem/remote.hpp"

#include <vector>

namespace atl::shmem {
namespace {

std::byte* beyond(void* at, std::size_t bytes) { return static_cast<std::byte*>(at) + bytes; }
const std::byte* beyond(const void* at, std::size_t bytes) {
  return static_cast<const std::byte*>(at) + bytes;
}

/// What is little goes with the meeting: of each byte, one member has it and the others have 0.
void join_bytes(void* into, const void* from, std::size_t count) {
  auto* const left = static_cast<unsigned char*>(into);
  const auto* const right = static_cast<const unsigned char*>(from);
  for (std::size_t i = 0; i < count; ++i) left[i] = static_cast<unsigned char>(left[i] | right[i]);
}

/// Room for that, zero.
struct carried_bytes {
  alignas(16) std::byte of_all[sizeof(sync_words::data)] = {};
};

/// Begins with the member behind this one, so that not all take from the same one at a time.
template <class Take>
void for_others_first(const group& all, const Take& take) {
  for (int i = 1; i <= all.size; ++i) take((all.me + i) % all.size);
}

/// The size of each member's contribution, which all have stored before a meeting.
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

}  // namespace atl::shmem
