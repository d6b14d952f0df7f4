#include "atoll/shmem/meeting.hpp"

#include "atoll/shmem/remote.hpp"
#include "atoll/shmem/waiting.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace atl::shmem {
namespace {

// The tree: numbers are read by digits of three bits.
constexpr int k_digit_bits = 3;
constexpr int k_children_by_digit = (1 << k_digit_bits) - 1;

/// The place of the lowest digit that is not 0.
int level_of(int member) { return std::countr_zero(static_cast<unsigned>(member)) / k_digit_bits; }

int parent_of(int member) {
  const int shift = level_of(member) * k_digit_bits;
  return member >> (shift + k_digit_bits) << (shift + k_digit_bits);
}

/// Which child of its parent a member is.
int place_of(int member) {
  const int level = level_of(member);
  return level * k_children_by_digit + (member >> level * k_digit_bits & k_children_by_digit) - 1;
}

int child_of(int member, int place) {
  const int shift = place / k_children_by_digit * k_digit_bits;
  return member + ((place % k_children_by_digit + 1) << shift);
}

/// As many as member 0 has in a group of this size, and nobody has more.
int most_children(int size) {
  if (size < 2) return 0;
  const auto last = static_cast<unsigned>(size - 1);
  const int level = (std::bit_width(last) - 1) / k_digit_bits;
  return level * k_children_by_digit + static_cast<int>(last >> level * k_digit_bits);
}

int children_of(const group& all, int member) {
  const int in_group = most_children(all.size - member);
  return member == 0 ? in_group : std::min(level_of(member) * k_children_by_digit, in_group);
}

void wait_and_clear(const char* call, long& word, long value) {
  wait_for(call, [&] { return look(&word) == value; });
  __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
}

/// Returns when the children have counted themselves in.
void await_children(const char* call, const group& all, long& counter) {
  if (const int children = children_of(all, all.me); children != 0)
    wait_and_clear(call, counter, children);
}

/// All that come after this one in the tree have counted themselves, and so does this one.
void gather(const char* call, const group& all, long& counter) {
  await_children(call, all, counter);
  if (all.me != 0) update<atomic_kind::add>(call, &counter, all.pe_of(parent_of(all.me)), 1L);
}

/// The largest subtree first.
template <class Tell>
void for_children(const group& all, const Tell& tell) {
  for (int child = children_of(all, all.me); child-- != 0;)
    tell(all.pe_of(child_of(all.me, child)));
}

/// Data, and behind it a word, of this PE and the other one alike.
template <atomic_kind Kind>
void put_and_tell(const char* call, std::byte* to, std::span<const std::byte> from, long* word,
                  int pe) {
  const auto at = locate_word(call, word, pe);
  const auto data = locate(call, to, from.size(), pe);
  if (at.reached == nullptr) {
    const transport::signal_update signal{at.place.offset, memory::operation(Kind, 1L)};
    return put_far(call, data.place, from, false, &signal);
  }
  copy_near(data.reached, from.data(), from.size());
  memory::apply_here<Kind>(at.reached, 1L, 0L);
  stored_to(pe);
}

/// A value on its way through the tree.
struct carried {
  const char* call;
  const group& all;
  std::span<std::byte> value;
  std::size_t elements;
  fold_elements fold;

  std::byte* data_of(int child) const {
    return all.words->data + static_cast<std::size_t>(child) * most_carried(all);
  }

  void take(int child, std::byte* into) const {
    std::memcpy(into, data_of(child), value.size());
    std::memset(data_of(child), 0, value.size());
  }

  void go_up() const {
    await_children(call, all, all.words->entered);
    alignas(16) std::array<std::byte, sizeof(sync_words::data)> of_child;
    for (int child = 0; child < children_of(all, all.me); ++child) {
      take(child, of_child.data());
      fold(value.data(), of_child.data(), elements);
    }
    if (all.me == 0) return;
    put_and_tell<atomic_kind::add>(call, data_of(place_of(all.me)), value, &all.words->entered,
                                   all.pe_of(parent_of(all.me)));
  }

  void go_down() const {
    if (all.me != 0) {
      wait_and_clear(call, all.words->released, 1);
      take(0, value.data());
    }
    for_children(all, [&](int pe) {
      put_and_tell<atomic_kind::store>(call, data_of(0), value, &all.words->released, pe);
    });
  }
};

}  // namespace

void meet(const char* call, const group& all) {
  sync_words& words = *all.words;
  gather(call, all, words.entered);
  if (all.me != 0) wait_and_clear(call, words.released, 1);
  for_children(all, [&](int pe) { update<atomic_kind::store>(call, &words.released, pe, 1L); });
}

std::size_t most_carried(const group& all) {
  const auto places = static_cast<std::size_t>(std::max(1, most_children(all.size)));
  return sizeof(sync_words::data) / places / sizeof(long) * sizeof(long);
}

void meet_with(const char* call, const group& all, void* value, std::size_t elements,
               std::size_t element_bytes, fold_elements fold) {
  const std::span bytes(static_cast<std::byte*>(value), elements * element_bytes);
  const carried it{call, all, bytes, elements, fold};
  it.go_up();
  it.go_down();
}

void meet_at(const char* call, const group& all, int root) {
  sync_words& words = *all.words;
  gather(call, all, words.left);
  if (root == 0) return;
  if (all.me == 0) update<atomic_kind::store>(call, &words.told, all.pe_of(root), 1L);
  if (all.me == root) wait_and_clear(call, words.told, 1);
}

std::uint64_t bits_of_all(const char* call, const group& all, std::uint64_t bits) {
  const auto join = [](void* into, const void* from, std::size_t) {
    *static_cast<std::uint64_t*>(into) |= *static_cast<const std::uint64_t*>(from);
  };
  meet_with(call, all, &bits, 1, sizeof bits, join);
  return bits;
}

}  // namespace atl::shmem
