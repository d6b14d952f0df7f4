#include "transport/litmus/explorer.hpp"

#include "transport/litmus/runner.hpp"
#include "transport/litmus/sites.hpp"

#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace atl::litmus {
namespace {

struct asked {
  operation next;
  std::source_location from;
};

struct thread_state {
  runner body;
  asked pending;
  word answer = 0;
  std::optional<asked> postponed;
  const void* postponed_bytes = nullptr;
};

std::vector<thread_state>& all_threads() {
  // The threads are reused, because their stacks are large.
  static std::vector<thread_state> kept(max_threads);
  return kept;
}

class explorer {
 public:
  explorer(const program& tested, const mutation& changed) : tested_(tested), changed_(changed) {
    for (const auto& body : tested.threads)
      bodies_.emplace_back([this, &body] {
        body();
        do_postponed();
      });
  }

  verdict run();

  // The thread that is running calls the following functions.
  word perform(const operation& next, const std::source_location& from);
  void read_bytes(const void* at);
  void write_bytes(const void* at, const std::source_location& from);
  void require(bool holds, const char* what);
  bool is_in_thread() const { return running_ >= 0; }
  word newest(const void* at, word initial) { return execution_.newest(at, initial); }

 private:
  struct option {
    int thread;
    int choice;
  };
  struct step {
    std::vector<option> options;
    std::size_t chosen = 0;
  };
  struct done {
    int thread;
    int index;
    asked what;
    word found;
    int source_thread;  // The thread that stored the value; -1 for the initial value.
    int source_index;
  };

  thread_state& state_of(int thread) { return all_threads()[static_cast<std::size_t>(thread)]; }
  thread_state& present() { return state_of(running_); }
  int threads() const { return static_cast<int>(tested_.threads.size()); }
  bool runs(int thread) { return !state_of(thread).body.ended() && !execution_.sleeps(thread); }

  void execute();
  bool backtrack();
  std::vector<option> options();
  void add_options(int thread, std::vector<option>& into);
  void take(const option& chosen);
  void resume(int thread);
  void finish();
  word stop_at(const asked& what);
  void do_postponed();
  bool is_changed(const std::source_location& from, const auto& name_of_site);
  void note_written(const void* at);
  [[noreturn]] void stop_failed(const char* what);
  word perform_changed(operation next, const std::source_location& from);
  void fail(const std::string& what);
  std::string trace() const;

  const program& tested_;
  const mutation& changed_;
  std::vector<std::function<void()>> bodies_;
  verdict found_;
  execution execution_;
  std::vector<step> path_;
  std::unordered_set<std::uint64_t> seen_;
  std::unordered_map<std::uint64_t, bool> known_sites_;
  std::vector<done> trace_;
  std::vector<int> scratch_;
  int running_ = -1;
};

explorer* now_exploring = nullptr;

verdict explorer::run() {
  now_exploring = this;
  do {
    ++found_.runs;
    execute();
  } while (found_.failure.empty() && backtrack());
  now_exploring = nullptr;
  return found_;
}

bool explorer::backtrack() {
  while (!path_.empty() && path_.back().chosen + 1 == path_.back().options.size()) path_.pop_back();
  if (path_.empty()) return false;
  ++path_.back().chosen;
  return true;
}

void explorer::execute() {
  execution_.begin();
  trace_.clear();
  tested_.set_up();
  for (int thread = 0; thread < threads(); ++thread) {
    state_of(thread).postponed.reset();
    state_of(thread).postponed_bytes = nullptr;
    state_of(thread).body.start(bodies_[static_cast<std::size_t>(thread)]);
    resume(thread);
  }
  for (std::size_t depth = 0; found_.failure.empty(); ++depth) {
    if (execution_.is_full()) {
      ++found_.too_long;
      return;
    }
    if (depth == path_.size()) {
      std::vector<option> next = options();
      if (next.empty()) return finish();
      path_.push_back({std::move(next)});
    }
    take(path_[depth].options[path_[depth].chosen]);
    if (depth + 1 == path_.size() && !seen_.insert(execution_.digest()).second) return;
  }
}

// Returns the events that may come next. Stores come first: if a thread is about to store, events
// of threads with higher numbers are no options. If a thread is about to store and the store could
// have come before the last event, there are no options. Another run explores the order with the
// store first.
std::vector<explorer::option> explorer::options() {
  std::vector<option> found;
  for (int thread = 0; thread < threads(); ++thread) {
    if (!runs(thread)) continue;
    const std::size_t before = found.size();
    add_options(thread, found);
    if (state_of(thread).pending.next.what != act::store) continue;
    if (found.size() == before) found.clear();
    break;
  }
  return found;
}

void explorer::add_options(int thread, std::vector<option>& into) {
  const operation& next = state_of(thread).pending.next;
  scratch_.clear();
  execution_.choices(thread, next, scratch_);
  const bool is_first_in_turn = execution_.is_empty() || thread >= execution_.last().thread;
  for (const int choice : scratch_)
    if (is_first_in_turn || execution_.depends_on_last(thread, next, choice))
      into.push_back({thread, choice});
}

void explorer::take(const option& chosen) {
  thread_state& state = state_of(chosen.thread);
  state.answer = execution_.commit(chosen.thread, state.pending.next, chosen.choice);
  const event& added = execution_.last();
  const event* const source = execution_.source_of(added);
  trace_.push_back({chosen.thread, added.index, state.pending, state.answer,
                    source != nullptr ? source->thread : -1,
                    source != nullptr ? source->index : 0});
  if (!execution_.sleeps(chosen.thread)) resume(chosen.thread);
  for (int thread = 0; thread < threads(); ++thread)
    if (execution_.was_just_woken(thread) && thread != chosen.thread) resume(thread);
}

void explorer::resume(int thread) {
  running_ = thread;
  state_of(thread).body.resume();
  running_ = -1;
}

void explorer::finish() {
  for (int thread = 0; thread < threads(); ++thread)
    if (runs(thread)) return;  // Another run of the program continues this execution.
  ++found_.complete;
  for (int thread = 0; thread < threads(); ++thread)
    if (execution_.sleeps(thread) && (tested_.may_sleep >> thread & 1) == 0)
      return fail(fmt::format("thread {} sleeps for ever", thread));
  tested_.at_the_end();
}

// ---- within a thread

word explorer::stop_at(const asked& what) {
  thread_state& state = present();
  state.pending = what;
  state.body.stop();
  return state.answer;
}

word explorer::perform(const operation& next, const std::source_location& from) {
  thread_state& state = present();
  const bool changed = is_changed(from, [&] { return site_of(next, from); });
  if (state.postponed && (changed || next.what != act::load || next.at == state.postponed->next.at))
    do_postponed();
  const word found = changed ? perform_changed(next, from) : stop_at({next, from});
  if (state.postponed_bytes != nullptr && next.what == act::store)
    note_written(std::exchange(state.postponed_bytes, nullptr));
  return found;
}

word explorer::perform_changed(operation next, const std::source_location& from) {
  switch (changed_.how) {
  case change::relaxed:
    next.order = next.order_of_failure = std::memory_order_relaxed;
    return stop_at({next, from});
  case change::plain:
    if (next.what != act::exchange) {
      operation look = next;
      look.what = act::load;
      look.order = std::memory_order_relaxed;
      next.operand = modified(next.what, stop_at({look, from}), next.operand);
    }
    next.what = act::store;
    next.order = std::memory_order_relaxed;
    return stop_at({next, from});
  case change::postponed:
    present().postponed = asked{next, from};
    return 0;
  case change::left_out:
    return 0;
  default:
    return stop_at({next, from});
  }
}

void explorer::do_postponed() {
  thread_state& state = present();
  if (!state.postponed) return;
  const asked what = *state.postponed;
  state.postponed.reset();
  stop_at(what);
}

bool explorer::is_changed(const std::source_location& from, const auto& name_of_site) {
  const auto key = reinterpret_cast<std::uintptr_t>(from.file_name()) * 31 +
                   (std::uint64_t{from.line()} << 40) + (std::uint64_t{from.column()} << 56);
  const auto known = known_sites_.find(key);
  if (known != known_sites_.end()) return known->second;
  const std::string site = name_of_site();
  if (std::strstr(from.file_name(), "src/atoll/") != nullptr || site.starts_with("futex_wake"))
    found_.sites.insert(site);
  const bool changed = changed_.how != change::none && site == changed_.site;
  known_sites_.emplace(key, changed);
  return changed;
}

void explorer::write_bytes(const void* at, const std::source_location& from) {
  if (!is_changed(from, [&] { return site_of_bytes(from); })) return note_written(at);
  if (changed_.how == change::postponed) present().postponed_bytes = at;
}

void explorer::note_written(const void* at) {
  if (!execution_.write_bytes(running_, at)) stop_failed("a data race: bytes are overwritten");
}

void explorer::read_bytes(const void* at) {
  if (!execution_.read_bytes(running_, at)) stop_failed("a data race: bytes are read");
}

void explorer::require(bool holds, const char* what) {
  if (holds) return;
  if (running_ < 0) return fail(what);
  stop_failed(what);
}

void explorer::stop_failed(const char* what) {
  const int thread = running_;
  fail(fmt::format("thread {}: {}", thread, what));
  for (;;) state_of(thread).body.stop();
}

void explorer::fail(const std::string& what) {
  if (found_.failure.empty()) found_.failure = what + "\n" + trace();
}

std::string explorer::trace() const {
  std::string text;
  for (const done& one : trace_) {
    const operation& next = one.what.next;
    text += fmt::format("  {}.{:<3} {:<50} {}", one.thread, one.index, site_of(next, one.what.from),
                        name_of_word(next.at));
    if (next.what != act::load && next.what != act::wait)
      text += fmt::format(", operand {}", next.operand);
    if (one.source_thread >= 0)
      text += fmt::format(", finds {} of {}.{}", one.found, one.source_thread, one.source_index);
    else if (next.what != act::store && next.what != act::wake)
      text += fmt::format(", finds {}, the first", one.found);
    text += "\n";
  }
  return text;
}

}  // namespace

verdict explore(const program& tested, const mutation& changed) {
  return explorer(tested, changed).run();
}

void require(bool holds, const char* what) { now_exploring->require(holds, what); }

void read_bytes(const void* at) { now_exploring->read_bytes(at); }

void write_bytes(const void* at, std::source_location from) {
  now_exploring->write_bytes(at, from);
}

bool is_in_thread() { return now_exploring != nullptr && now_exploring->is_in_thread(); }

word perform(const operation& next, const std::source_location& from) {
  return now_exploring->perform(next, from);
}

word newest_value(const void* at, word initial) { return now_exploring->newest(at, initial); }

}  // namespace atl::litmus
