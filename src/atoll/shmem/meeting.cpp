#include "atoll/shmem/meeting.hpp"

#include "atoll/base/modules.hpp"
#include "atoll/one_sided.hpp"
#include "atoll/random.hpp"
#include "atoll/shmem/remote.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <sched.h>
#include <string>
#include <string_view>

namespace atl::shmem {
namespace {

struct condition_awaiter : memory::watching_awaiter {
  bool (*is_so)(const void*);
  const void* of;

  condition_awaiter(bool (*condition)(const void*), const void* argument)
      : watching_awaiter(&holds_now, site::current()), is_so(condition), of(argument) {}

  bool await_ready() const {
    if (is_so(of)) return true;
    if (transport::remote_memory* const far = this_pe().transport->far_memory()) far->send();
    if (!this_pe().tasks->has_nothing_else()) return false;
    tasks::single_watch this_one(*this);
    return this_pe().transport->linger(this_one);
  }

 private:
  static bool holds_now(const tasks::watcher& one) noexcept {
    const auto& self = static_cast<const condition_awaiter&>(one);
    return self.is_so(self.of);
  }
};

/// Polls a condition, and sleeps for up to 1 ms between two tests. The PE's own thread does not use
/// this function, because stores of other PEs wake only the PE's own thread.
void look_around(bool (*holds)(const void*), const void* of) {
  constexpr int k_yields = 200;
  constexpr long k_longest_nap = 1'000'000;
  long nap = 10'000;
  for (int looks = 0; !holds(of); ++looks) {
    if (looks < k_yields) {
      sched_yield();
      continue;
    }
    const timespec time{0, nap};
    nanosleep(&time, nullptr);
    nap = std::min(2 * nap, k_longest_nap);
  }
}

}  // namespace

void let_others_go_on(const char* call) {
  const world& w = the_world;
  if (w.transport->far_memory() != nullptr && w.runs_beside->is_pe())
    on_pe(call, [] { memory::far_memory().send(); });
  if (!w.transport->has_own_core()) sched_yield();
}

void wait_until(const char* call, bool (*holds)(const void*), const void* of) {
  if (!the_world.runs_beside->is_pe()) return look_around(holds, of);
  await(call, [&]() -> task<> { co_await condition_awaiter(holds, of); });
}

int group::number_of(int pe) const {
  if (!listed.empty()) {
    const auto found = std::find(listed.begin(), listed.end(), pe);
    return found == listed.end() ? -1 : static_cast<int>(found - listed.begin());
  }
  const int distance = pe - start;
  if (distance % stride != 0) return -1;
  const int number = distance / stride;
  return number >= 0 && number < size ? number : -1;
}

namespace {

// The octal digits (three bits each) of the members' numbers define the tree of a meeting, which is
// a barrier (meeting.hpp).
constexpr int k_digit_bits = 3;
constexpr int k_children_by_digit = (1 << k_digit_bits) - 1;

/// Returns the position of the lowest nonzero octal digit of the number `member`.
int level_of(int member) { return std::countr_zero(static_cast<unsigned>(member)) / k_digit_bits; }

int parent_of(int member) {
  const int shift = level_of(member) * k_digit_bits;
  return member >> (shift + k_digit_bits) << (shift + k_digit_bits);
}

/// Returns the index of a member among the children of its parent.
int place_of(int member) {
  const int level = level_of(member);
  return level * k_children_by_digit + (member >> level * k_digit_bits & k_children_by_digit) - 1;
}

int child_of(int member, int place) {
  const int shift = place / k_children_by_digit * k_digit_bits;
  return member + ((place % k_children_by_digit + 1) << shift);
}

/// Returns the number of children of member 0 in a group of `size` members. No other member has
/// more children.
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

/// A member counts its arrived children in a word. The lower half of the word is the number of
/// children that have arrived. The upper half of the word is the sum of the marks (hashes) of the
/// calls of the arrived children.
constexpr int k_count_bits = 32;
int entered_by(long counter) { return static_cast<int>(counter & 0xffffffff); }

/// Base address for the names of calls. A member stores the name of its call as an offset from
/// `k_calls_begin`, because addresses may differ between processes.
constexpr char k_calls_begin[] = "shmem";

/// Returns true for calls that split a team. In a call that splits a team, `elements` encodes which
/// part of the team becomes a new team.
bool splits(std::string_view call) { return call.starts_with("shmem_team_split"); }

std::uint32_t mark_of(const collective& of) {
  std::string_view name = of.call;
  std::uint64_t mark = hash(name.size());
  while (!name.empty()) {
    std::uint64_t word = 0;
    const std::size_t bytes = std::min(name.size(), sizeof word);
    std::memcpy(&word, name.data(), bytes);
    mark = (mark ^ word) * 0x9e3779b97f4a7c15;
    mark ^= mark >> 32;
    name.remove_prefix(bytes);
  }
  // In debug builds, `check_equal` compares the elements of all calls except splits, with a more
  // detailed error message.
  if (!k_checks_all || splits(of.call))
    mark ^= hash(of.elements * 2 + static_cast<std::uint64_t>(of.root));
  return static_cast<std::uint32_t>(mark ^ mark >> 32);
}

/// Returns the text that describes the requested part of a split. A stride of 0 stands for a split
/// along two axes, whose `size` is the number of PEs of a row.
std::string text_of_split(const part& asked) {
  if (asked.stride == 0) return fmt::format(", xrange {}", asked.size);
  return fmt::format(", start {}, stride {}, size {}", asked.start, asked.stride, asked.size);
}

std::string in_words(const char* call, std::size_t elements, long root) {
  std::string text = call;
  if (splits(text)) return text + text_of_split(part_of(elements));
  if (elements != 0) text += fmt::format(", {} elements", elements);
  if (root >= 0) text += fmt::format(", root {}", root);
  return text;
}

/// Returns the name of the call in which another member waits. Returns "another call" if the name
/// is not known, because the other member runs another build of this library.
const char* name_of(const sync_words& there) {
  const auto at =
      reinterpret_cast<std::uintptr_t>(k_calls_begin) + static_cast<std::uintptr_t>(there.call);
  const auto its_module = module_at(at);
  const auto own_module = module_at(reinterpret_cast<std::uintptr_t>(k_calls_begin));
  const bool is_known =
      there.call != 0 && its_module && own_module && its_module->prefix == own_module->prefix;
  const char* const name = is_known ? reinterpret_cast<const char*>(at) : "";
  return std::string_view(name).starts_with("shmem") ? name : "another call";
}

/// While this object exists, the member's words describe the call in which the member waits. Other
/// members read the description to name the call in an error message.
class call_mark {
 public:
  explicit call_mark(const collective& of) : of_(of), mark_(mark_of(of)) {
    sync_words& words = *of.all.words;
    words.call = of.call - k_calls_begin;
    words.elements = static_cast<long>(of.elements);
    words.root = of.root;
  }
  ~call_mark() {
    sync_words& words = *of_.all.words;
    words.call = words.elements = words.root = 0;
  }
  call_mark(const call_mark&) = delete;
  call_mark& operator=(const call_mark&) = delete;

  /// Returns the number that this member adds to its parent's counter on arrival: 1, and the mark
  /// (hash) of its call in the upper half.
  long one() const { return static_cast<long>(std::uint64_t{mark_} << k_count_bits) + 1; }

  /// Ends the job with an error if a child is in another call. The function compares the sum of the
  /// marks (hashes of calls) in `added` with the expected sum.
  void check(long added, int children) const {
    const auto marks =
        static_cast<std::uint32_t>(static_cast<std::uint64_t>(added) >> k_count_bits);
    if (marks != mark_ * static_cast<std::uint32_t>(children)) [[unlikely]]
      refuse_others(children);
  }

 private:
  [[noreturn]] void refuse_others(int children) const {
    const std::string mine = in_words(of_.call, of_.elements, of_.root);
    std::string other = "another call";
    int pe = -1;
    for (int i = 0; i < children && other == "another call"; ++i) {
      sync_words there;
      pe = of_.all.pe_of(child_of(of_.all.me, i));
      get_bytes(of_.call, &there, of_.all.words, sizeof there, pe);
      const std::string its =
          in_words(name_of(there), static_cast<std::size_t>(there.elements), there.root);
      if (its != mine) other = its;
    }
    refuse(
        of_.call,
        fmt::format("the calls of two PEs differ: this one is in {}, PE {} is in {}; all members "
                    "of a team call the same collectives, in the same order",
                    mine, pe, other));
  }

  const collective& of_;
  const std::uint32_t mark_;
};

void wait_and_clear(const char* call, long& word, long value) {
  wait_for(call, [&] { return look(&word) == value; });
  __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
}

/// Waits until all children of this member have arrived, and resets the counter. Returns the
/// counter's value before the reset. The upper half of the value is the sum of the marks that the
/// children added (see `call_mark::one`).
long await_children(const char* call, const group& all, long& counter) {
  const int children = children_of(all, all.me);
  if (children == 0) return 0;
  long added = 0;
  wait_for(call, [&] { return entered_by(added = look(&counter)) == children; });
  __atomic_store_n(&counter, 0, __ATOMIC_RELEASE);
  return added;
}

/// Waits for all members below this member in the tree, and then adds this member to the counter of
/// its parent.
void gather(const collective& of, const call_mark& mark, long& counter) {
  const group& all = of.all;
  mark.check(await_children(of.call, all, counter), children_of(all, all.me));
  if (all.me != 0)
    update<atomic_kind::add>(of.call, &counter, all.pe_of(parent_of(all.me)), mark.one());
}

/// Calls `tell(pe)` for each child's PE. The child with the largest subtree comes first, because
/// the largest subtree needs the most time.
template <class Tell>
void for_children(const group& all, const Tell& tell) {
  for (int child = children_of(all, all.me); child-- != 0;)
    tell(all.pe_of(child_of(all.me, child)));
}

/// Puts data to PE `pe`, and then changes a word on PE `pe`. If PE `pe` sees the changed word, PE
/// `pe` also sees the data. `to` and `word` are symmetric addresses.
template <atomic_kind Kind>
void put_and_tell(const char* call, std::byte* to, std::span<const std::byte> from, long* word,
                  long told, int pe) {
  const auto at = locate_word(call, word, pe);
  const auto data = locate(call, to, from.size(), pe);
  if (at.reached == nullptr) {
    const transport::signal_update signal{at.place.offset, memory::operation(Kind, told)};
    return put_far(call, data.place, from, false, &signal);
  }
  copy_near(data.reached, from.data(), from.size());
  memory::apply_here<Kind>(at.reached, told, 0L);
  stored_to(pe);
}

/// The value of a `meet_with`. The values of all members are combined from the leaves to the root
/// of the tree, and the result is distributed from the root to the leaves.
struct carried {
  const char* call;
  const group& all;
  const call_mark& mark;
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
    mark.check(await_children(call, all, all.words->entered), children_of(all, all.me));
    alignas(16) std::array<std::byte, sizeof(sync_words::data)> of_child;
    for (int child = 0; child < children_of(all, all.me); ++child) {
      take(child, of_child.data());
      fold(value.data(), of_child.data(), elements);
    }
    if (all.me == 0) return;
    put_and_tell<atomic_kind::add>(call, data_of(place_of(all.me)), value, &all.words->entered,
                                   mark.one(), all.pe_of(parent_of(all.me)));
  }

  void go_down() const {
    if (all.me != 0) {
      wait_and_clear(call, all.words->released, 1);
      take(0, value.data());
    }
    for_children(all, [&](int pe) {
      put_and_tell<atomic_kind::store>(call, data_of(0), value, &all.words->released, 1, pe);
    });
  }
};

}  // namespace

void meet(const collective& of) {
  const group& all = of.all;
  sync_words& words = *all.words;
  const call_mark mark(of);
  gather(of, mark, words.entered);
  if (all.me != 0) wait_and_clear(of.call, words.released, 1);
  for_children(all, [&](int pe) { update<atomic_kind::store>(of.call, &words.released, pe, 1L); });
}

std::size_t most_carried(const group& all) {
  const auto places = static_cast<std::size_t>(std::max(1, most_children(all.size)));
  return sizeof(sync_words::data) / places / sizeof(long) * sizeof(long);
}

void meet_with(const collective& of, void* value, std::size_t elements, std::size_t element_bytes,
               fold_elements fold) {
  const std::span bytes(static_cast<std::byte*>(value), elements * element_bytes);
  const call_mark mark(of);
  const carried it{of.call, of.all, mark, bytes, elements, fold};
  it.go_up();
  it.go_down();
}

void meet_at(const collective& of, int root) {
  const group& all = of.all;
  sync_words& words = *all.words;
  gather(of, call_mark(of), words.left);
  if (root == 0) return;
  if (all.me == 0) update<atomic_kind::store>(of.call, &words.told, all.pe_of(root), 1L);
  if (all.me == root) wait_and_clear(of.call, words.told, 1);
}

std::uint64_t bits_of_all(const collective& of, std::uint64_t bits) {
  const auto join = [](void* into, const void* from, std::size_t) {
    *static_cast<std::uint64_t*>(into) |= *static_cast<const std::uint64_t*>(from);
  };
  meet_with(of, &bits, 1, sizeof bits, join);
  return bits;
}

}  // namespace atl::shmem
