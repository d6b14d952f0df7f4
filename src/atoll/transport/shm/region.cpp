#include "atoll/transport/shm/region.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <sys/stat.h>

namespace atl::transport::shm {
namespace {

/// Orders the entries of a hang report by importance, because the last entries may be left out.
/// Entries about waiting tasks (kinds before `held`) come last, because there may be many. Among
/// entries of equal importance, entries with larger counts come first.
bool comes_first(const observe::finding& a, const observe::finding& b) {
  const bool of_tasks_a = a.what < observe::fact::held;
  const bool of_tasks_b = b.what < observe::fact::held;
  return of_tasks_a != of_tasks_b ? of_tasks_b : a.count > b.count;
}

/// Stores texts in the memory `memory`. Equal texts are stored only once.
class text_pool {
 public:
  explicit text_pool(std::span<char> memory) : memory_(memory) { memory_[0] = '\0'; }

  /// Stores `text` and returns its offset in the memory. Returns nothing if the memory is full.
  std::optional<std::uint16_t> add(const std::string& text) {
    if (text.empty()) return std::uint16_t{0};
    const auto known = begins_.find(text);
    if (known != begins_.end()) return known->second;
    if (text.size() >= memory_.size() - used_) return std::nullopt;
    const auto begin = static_cast<std::uint16_t>(used_);
    std::memcpy(&memory_[used_], text.c_str(), text.size() + 1);
    used_ += text.size() + 1;
    begins_.emplace(text, begin);
    return begin;
  }

 private:
  std::span<char> memory_;
  std::size_t used_ = 1;
  std::map<std::string, std::uint16_t> begins_;
};

}  // namespace

void answer_area::write(std::vector<observe::finding> findings) {
  std::ranges::stable_sort(findings, comes_first);
  text_pool texts(text_);
  size_ = left_out_ = 0;
  for (const observe::finding& one : findings) {
    const auto place = texts.add(one.place_text());
    const auto origin = texts.add(one.origin_text());
    if (size_ == capacity || !place || !origin)
      ++left_out_;
    else
      records_[size_++] = {one.what, *place, *origin, one.count, one.number};
  }
}

observe::pe_answer answer_area::read(int pe) const {
  observe::pe_answer answer{pe, {}, left_out_};
  const auto text = [this](std::uint16_t begin) {
    const std::size_t most = text_bytes - std::min<std::size_t>(begin, text_bytes);
    return std::string(text_.data() + text_bytes - most,
                       strnlen(text_.data() + text_bytes - most, most));
  };
  for (std::size_t i = 0; i < std::min<std::size_t>(size_, capacity); ++i) {
    const record& one = records_[i];
    answer.findings.push_back(
        {one.what, {}, {}, one.count, one.number, text(one.place), text(one.origin)});
  }
  return answer;
}

namespace {

constexpr const char* rings_purpose = "network buffers (--pes, --buffer-size, --buffers-per-pair)";
constexpr std::size_t usual_slots = 16;
constexpr std::size_t fewest_slots = 2;
// Maximum number of slots in the ring of a PE to itself. A PE may fill its whole own ring before it
// polls, so a longer ring would only occupy more of the cache.
constexpr std::size_t most_own_slots = 4;
constexpr std::size_t memory_of_all_rings = std::size_t{256} << 20;

std::uint32_t capacity_of(const settings& settings) {
  return static_cast<std::uint32_t>(round_up(settings.buffer_size, std::uint64_t{line_size}));
}

/// Returns true if all PEs of the job are in one process. PEs are in one process if they are
/// threads or simulated. The value `rings::none` means that the PEs are simulated.
bool are_in_one_process(const settings& settings, region::rings which) {
  return which == region::rings::none || settings.pe_kind == pe_kind::thread;
}

}  // namespace

std::size_t slots_of_pair(int pes, const settings& settings, bool own, std::uint64_t memory) {
  const std::size_t pairs = static_cast<std::size_t>(pes) * static_cast<std::size_t>(pes);
  const std::size_t all = pairs * (sizeof(slot) + capacity_of(settings));
  const std::size_t slots =
      settings.buffers_per_pair != 0
          ? settings.buffers_per_pair
          : std::clamp(std::min<std::uint64_t>(memory_of_all_rings, memory / 4) / all, fewest_slots,
                       usual_slots);
  return own ? std::min(slots, most_own_slots) : slots;
}

std::uint64_t bytes_of_rings(int pes, const settings& settings, std::uint64_t memory) {
  const auto all = static_cast<std::uint64_t>(pes);
  const std::uint64_t others = slots_of_pair(pes, settings, false, memory);
  const std::uint64_t own = slots_of_pair(pes, settings, true, memory);
  return all * ((all - 1) * others + own) * (sizeof(slot) + capacity_of(settings));
}

region::region(int pes, const settings& settings, rings which)
    : pes_(pes),
      buffer_capacity_(capacity_of(settings)),
      slots_(which == rings::none
                 ? 0
                 : slots_of_pair(pes, settings, false, read_memory_status().usable())),
      memory_(rings_offset() + rings_bytes(), rings_purpose),
      base_(memory_.data()),
      segments_(pes, settings.huge_pages,
                shares_of(pes, are_in_one_process(settings, which), needs_of(settings))) {
  new (base_) job_header;
  for (int pe = 0; pe < pes; ++pe) new (&block(pe)) pe_block;
  // Answer areas and slots need no initialisation, because new memory is zero, which means empty.
}

region::region(int pes, const settings& settings, const region_shape& shape, region_descriptors of)
    : pes_(pes),
      buffer_capacity_(capacity_of(settings)),
      slots_(shape.slots),
      memory_(of.memory, rings_offset() + rings_bytes(), rings_purpose),
      base_(memory_.data()),
      segments_(pes, settings.huge_pages, shape.shares, of.segments) {}

std::size_t region::rings_bytes() const noexcept {
  const auto count = static_cast<std::size_t>(pes_);
  return count * count * slots_ * slot_stride();
}

std::size_t region::answers_offset() const noexcept {
  return round_up(sizeof(job_header) + static_cast<std::size_t>(pes_) * sizeof(pe_block),
                  page_size);
}

std::size_t region::rings_offset() const noexcept {
  return round_up(answers_offset() + static_cast<std::size_t>(pes_) * sizeof(answer_area),
                  page_size);
}

answer_area& region::answer(int pe) noexcept {
  return reinterpret_cast<answer_area*>(base_ + answers_offset())[pe];
}

ring_cursor region::ring(int source, int destination) noexcept {
  const auto pair = static_cast<std::size_t>(destination) * static_cast<std::size_t>(pes_) +
                    static_cast<std::size_t>(source);
  const std::size_t used = source == destination ? std::min(slots_, most_own_slots) : slots_;
  return {base_ + rings_offset() + pair * slots_ * slot_stride(), slot_stride(), used};
}

bool region::end(int exit_status) noexcept {
  std::uint32_t running = 0;
  const bool first = header().ended.compare_exchange_strong(
      running, 1 + static_cast<std::uint32_t>(exit_status), std::memory_order_seq_cst);
  draw_attention();
  note_event();
  return first;
}

// A waiting thread loads `events`, looks for a change of the job, and then sleeps only if `events`
// still has the loaded value. A thread can miss a change only if the thread loaded `events` before
// the addition below. If a thread loaded `events` before the addition, either the changed value
// keeps the thread awake, or the call below wakes the thread.
void region::note_event() noexcept {
  header().events.fetch_add(1, std::memory_order_seq_cst);
  futex_wake_all(header().events);
}

std::uint32_t region::ask() noexcept {
  const std::uint32_t question = header().questions.fetch_add(1, std::memory_order_seq_cst) + 1;
  draw_attention();
  return question;
}

// Notifies all PEs that `ended` or `questions` has changed. The caller stores `ended` or
// `questions` before the call. A PE resets `attention` before it loads `ended` and `questions`, so
// the PE misses no change.
void region::draw_attention() noexcept {
  for (int pe = 0; pe < pes_; ++pe) {
    block(pe).attention.store(1, std::memory_order_seq_cst);
    block(pe).bell.ring();
  }
}

bool region::something_arrived(int pe) noexcept {
  const pe_block& of = block(pe);
  if (of.room.load(std::memory_order_seq_cst) != 0) return true;
  if (of.attention.load(std::memory_order_seq_cst) != 0) return true;
  for (const auto& word : of.ready)
    if (word.load(std::memory_order_seq_cst) != 0) return true;
  return false;
}

std::uint64_t process_namespace() noexcept {
  struct stat seen{};
  return stat("/proc/self/ns/pid", &seen) == 0 ? seen.st_ino : 0;
}

}  // namespace atl::transport::shm
