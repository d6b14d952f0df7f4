#include "atoll/observe/trace.hpp"

#include "atoll/error.hpp"
#include "atoll/output_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace atl::observe {
namespace {

constexpr std::int64_t k_longest_gap = 1'000;
constexpr std::int64_t k_longest_joined = 20'000;

bool joins(const trace_event& last, const trace_event& next) {
  if (last.what != next.what || last.where != next.where) return false;
  if (next.begin < last.end || next.begin - last.end > k_longest_gap) return false;
  if (last.what == traced::idle) return true;
  return last.what <= traced::deliveries && next.end - last.begin <= k_longest_joined;
}

}  // namespace

std::size_t trace_ring::bytes_for(std::uint64_t capacity) {
  return sizeof(header) + capacity * sizeof(trace_event);
}

// The counter `added` is increased only after the event was written. If the PE dies while it writes
// an event, the reader ignores the incomplete event.
void trace_ring::add(const trace_event& happened) {
  const std::uint64_t added = header_->added.load(std::memory_order_relaxed);
  if (added != 0 && joins(at(added - 1), happened)) {
    trace_event& last = at(added - 1);
    last.end = happened.end;
    last.count += happened.count;
    last.amount = happened.amount;
    return;
  }
  at(added) = happened;
  header_->added.store(added + 1, std::memory_order_release);
}

std::uint64_t trace_ring::dropped() const {
  const std::uint64_t added = header_->added.load(std::memory_order_acquire);
  return added - std::min(added, capacity_);
}

std::vector<trace_event> trace_ring::events() const {
  std::vector<trace_event> all;
  const std::uint64_t added = header_->added.load(std::memory_order_acquire);
  for (std::uint64_t number = dropped(); number < added; ++number) all.push_back(at(number));
  // If the oldest event begins after the newest event, a killed PE has half overwritten the oldest
  // event. The function leaves out a half-overwritten event.
  if (!all.empty() && dropped() != 0 && all.front().begin > all.back().begin)
    all.erase(all.begin());
  return all;
}

trace_rings::trace_rings(int pes, std::uint64_t bytes_each)
    : pes_(pes),
      capacity_(bytes_each / sizeof(trace_event)),
      memory_("atoll-trace", static_cast<std::size_t>(pes) * trace_ring::bytes_for(capacity_)) {}

trace_ring trace_rings::of(int pe) const {
  return {memory_.data() + static_cast<std::size_t>(pe) * trace_ring::bytes_for(capacity_),
          capacity_};
}

namespace {

/// Calls `action`. If `action` throws an `error`, the function throws an `error` (environment)
/// whose text begins with the name of the setting, --trace.
template <class Action>
void for_trace(Action action) try {
  action();
} catch (const error& refusal) {
  fail(errc::environment, "--trace {}", refusal.what());
}

/// Collects the text of a file in a buffer, so that few system calls write it.
class text_writer {
 public:
  explicit text_writer(const std::string& path) : file_(path, output_to::anything) {
    buffer_.reserve(2 * buffered);
  }

  text_writer& operator<<(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= buffered) flush();
    return *this;
  }

  void commit() {
    flush();
    file_.commit();
  }

 private:
  static constexpr std::size_t buffered = 64 * 1024;

  void flush() {
    file_.write(buffer_);
    buffer_.clear();
  }

  output_file file_;
  std::string buffer_;
};

std::string microseconds(std::int64_t nanoseconds) {
  return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
}

/// Writes the events of all PEs as lines of a JSON array.
class event_writer {
 public:
  event_writer(text_writer& out, std::int64_t zero, site (*site_of)(std::uint64_t))
      : out_(out), zero_(zero), site_of_(site_of) {}

  void write(int pe, const trace_ring& ring) {
    pe_ = pe;
    name_process();
    auto events = ring.events();
    std::ranges::stable_sort(events, [](const trace_event& a, const trace_event& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    for (const auto& event : events) write(event);
  }

 private:
  // Process numbers begin at 1, because viewers treat process 0 as the idle process of the machine.
  std::string head(char phase, const std::string& name) const {
    return fmt::format(R"({{"ph":"{}","pid":{},"tid":{},"name":{})", phase, pe_ + 1, pe_ + 1,
                       nlohmann::json(name).dump());
  }

  void line(const std::string& text) {
    out_ << (first_ ? "" : ",\n") << text;
    first_ = false;
  }

  void name_process() {
    const std::string name = nlohmann::json(fmt::format("PE {}", pe_)).dump();
    line(head('M', "process_name") + R"(,"args":{"name":)" + name + "}}");
    line(head('M', "thread_name") + R"(,"args":{"name":)" + name + "}}");
    line(head('M', "process_sort_index") + fmt::format(R"(,"args":{{"sort_index":{}}}}})", pe_));
  }

  const std::string& text_of(std::uint64_t word) {
    const auto [found, is_new] = texts_.try_emplace(word);
    if (is_new) found->second = to_string(site_of_(word));
    return found->second;
  }

  std::string time_of(const trace_event& event) const {
    const std::string begin = fmt::format(R"(,"ts":{})", microseconds(event.begin - zero_));
    if (event.begin == event.end) return begin + R"(,"s":"t")";
    return begin + fmt::format(R"(,"dur":{})", microseconds(event.end - event.begin));
  }

  void event_line(const trace_event& event, const std::string& name, const std::string& arguments) {
    line(head(event.begin == event.end ? 'i' : 'X', name) + time_of(event) + R"(,"args":{)" +
         arguments + "}}");
  }

  void counter_line(const trace_event& event, const char* name, std::uint64_t value) {
    line(head('C', name) + fmt::format(R"(,"ts":{},"args":{{"value":{}}}}})",
                                       microseconds(event.end - zero_), value));
  }

  /// Writes one end of an arrow: the start if `end` is 's', or the tip if `end` is 'f'. The arrow
  /// leads from the PE on which an `atl::event` ended to a PE whose tasks waited for the event. A
  /// viewer draws the tip of the arrow at the next entry in the timeline of the PE whose tasks
  /// waited.
  void arrow_line(const trace_event& event, char end, int to) {
    line(head(end, "event") + fmt::format(R"(,"cat":"event","id":"{:x}.{}","ts":{}}})", event.count,
                                          to, microseconds(event.begin - zero_)));
  }

  void write(const trace_event& event) {
    const std::string count = fmt::format(R"("count":{})", event.count);
    switch (event.what) {
    case traced::tasks:
      event_line(event, "tasks of " + text_of(event.where),
                 count + fmt::format(R"(,"ready":{})", event.amount));
      return counter_line(event, "ready tasks", event.amount);
    case traced::deliveries:
      event_line(event, "messages", count);
      return counter_line(event, "messages executed", event.amount);
    case traced::flush:
      return event_line(event, "flush", "");
    case traced::idle:
      return event_line(event, "idle", "");
    case traced::submit:
      return event_line(event, fmt::format("buffer to PE {}", event.peer),
                        fmt::format(R"("bytes":{})", event.amount));
    case traced::steal_request:
      return event_line(event, fmt::format("ask PE {} for tasks", event.peer), "");
    case traced::tasks_sent:
      return event_line(event, fmt::format("tasks to PE {}", event.peer), count);
    case traced::tasks_stolen:
      return event_line(event, fmt::format("tasks from PE {}", event.peer), count);
    case traced::event_ended:
      return arrow_line(event, 's', event.peer);
    case traced::event_heard:
      return arrow_line(event, 'f', pe_);
    case traced::collective:
      return event_line(event, "collective at " + text_of(event.where),
                        fmt::format(R"("number":{})", event.count));
    }
  }

  text_writer& out_;
  std::int64_t zero_;
  site (*site_of_)(std::uint64_t);
  std::unordered_map<std::uint64_t, std::string> texts_;
  int pe_ = 0;
  bool first_ = true;
};

std::int64_t first_time(const trace_rings& rings) {
  std::int64_t first = INT64_MAX;
  for (int pe = 0; pe < rings.pes(); ++pe)
    for (const auto& event : rings.of(pe).events()) first = std::min(first, event.begin);
  return first;
}

// The result is a text and not an nlohmann array, because destroying such an array may allocate
// memory.
std::string facts_of(const trace_rings& rings, bool ended_early) {
  std::string dropped;
  for (int pe = 0; pe < rings.pes(); ++pe) {
    if (pe != 0) dropped += ',';
    dropped += std::to_string(rings.of(pe).dropped());
  }
  return fmt::format(R"({{"oldest_events_dropped_by_pe":[{}],"ended_early":{}}})", dropped,
                     ended_early);
}

}  // namespace

void begin_trace_file(const std::string& file) {
  if (is_stream_output(file)) return;
  for_trace([&] {
    text_writer out(file);
    out << R"({"traceEvents":[],"otherData":{"note":"the job was ended before its trace was written"}})"
        << "\n";
    out.commit();
  });
}

void write_trace_file(const std::string& file, const trace_rings& rings, bool ended_early,
                      site (*site_of)(std::uint64_t)) {
  const auto write = [&] {
    text_writer out(file);
    out << R"({"displayTimeUnit":"ns","otherData":)" << facts_of(rings, ended_early)
        << ",\n\"traceEvents\":[\n";
    event_writer writer(out, first_time(rings), site_of);
    for (int pe = 0; pe < rings.pes(); ++pe) writer.write(pe, rings.of(pe));
    out << "\n]}\n";
    out.commit();
  };
  try {
    for_trace(write);
  } catch (...) {
    // After a failure, the file that `begin_trace_file` has written is removed, because the file
    // says that the job ended early.
    discard_output(file);
    throw;
  }
}

}  // namespace atl::observe
