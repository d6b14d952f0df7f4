#include "atoll/transport/sim/cluster.hpp"

#include "atoll/base/pe.hpp"
#include "atoll/transport/internode/remote_wire.hpp"
#include "atoll/transport/shm/region.hpp"

#include <algorithm>
#include <utility>

namespace atl::transport::sim {

/// Returns the core that is assigned to the PE `at.pe` at the time `at.time`. At regular times, all
/// PEs change to the next core together. If all cores have the same number of PEs, the changes of
/// cores have no effect on speed.
cores::core& cores::place_of(moment at) {
  const nanoseconds moves = at.time / between_moves;
  const auto turn = static_cast<std::size_t>((at.pe + moves) % pes_);
  return cores_[turn % cores_.size()];
}

cores::core* cores::held_by(int pe) {
  const auto found = std::ranges::find(cores_, pe, &core::holder);
  return found == cores_.end() ? nullptr : &*found;
}

/// Returns true if the PE that has the core must leave it. The PE must leave at the first timer
/// tick after two events: the PE has got the core, and another PE has asked for the core.
bool cores::is_over(const core& turn, nanoseconds now) const {
  if (turn.queue.empty()) return false;
  return now / tick_ > std::max(turn.since, turn.queue.front().since) / tick_;
}

nanoseconds cores::ask(moment at) {
  if (cores_.empty()) return at.time;
  core& place = place_of(at);
  if (place.holder == at.pe && !is_over(place, at.time)) return at.time;
  give_away(at);
  wait_at(place, at);
  const bool is_free = place.holder == nobody && place.since <= at.time;
  if (!is_free || place.queue.front().pe != at.pe) return at.time + between_questions;
  return take(place, at);
}

void cores::wait_at(core& place, moment at) {
  const auto is_it = [&](const waiting& each) { return each.pe == at.pe; };
  for (core& other : cores_)
    if (&other != &place) std::erase_if(other.queue, is_it);
  if (std::ranges::none_of(place.queue, is_it)) place.queue.push_back({at.pe, at.time});
}

nanoseconds cores::take(core& free, moment at) const {
  free.queue.pop_front();
  free.since = at.time + (free.last == at.pe ? 0 : change_);
  free.holder = free.last = at.pe;
  return free.since;
}

void cores::give_away(moment at) {
  core* const held = held_by(at.pe);
  if (held == nullptr) return;
  held->holder = nobody;
  held->since = at.time;
}

namespace {

constexpr int way_out = 0;
constexpr int way_up = 1;
constexpr int way_down = 2;
constexpr int way_in = 3;

}  // namespace

network::network(const model& parameters, int pes, std::uint64_t node_size)
    : parameters_(parameters),
      node_size_(node_size),
      leaf_nodes_(static_cast<std::size_t>(std::max<std::int64_t>(parameters.leaf_nodes, 1))),
      out_(node_of(pes - 1) + 1),
      up_(leaf_of(pes - 1) + 1),
      down_(up_.size()),
      in_(out_.size()),
      taken_(static_cast<std::size_t>(pes)) {}

void network::post(const shipment& sent, nanoseconds time) {
  const step first{time * per_nanosecond, posted_++, sent, way_out, 0};
  taken_[static_cast<std::size_t>(sent.from)] += occupied(first);
  under_way_.push(first);
}

/// Returns the time of the next step in nanoseconds, rounded up so that no step happens too early.
nanoseconds network::next_step() const {
  if (under_way_.empty()) return forever;
  return (under_way_.top().time + per_nanosecond - 1) / per_nanosecond;
}

picoseconds& network::next_way(const step& of) {
  switch (of.way) {
  case way_out:
    return out_[node_of(of.message.from)];
  case way_up:
    return up_[leaf_of(of.message.from)];
  case way_down:
    return down_[leaf_of(of.message.to)];
  default:
    return in_[node_of(of.message.to)];
  }
}

/// Returns how long a message occupies its next link. A link between leaf switches has the
/// bandwidth of all nodes of a leaf switch together, divided by the oversubscription. Only the
/// links of nodes limit the number of messages per second.
picoseconds network::occupied(const step& of) const {
  const picoseconds bytes = parameters_.gap_per_byte * of.message.bytes;
  if (of.way == way_out || of.way == way_in) return std::max(parameters_.gap, bytes);
  return bytes * parameters_.oversubscription / (100 * static_cast<picoseconds>(leaf_nodes_));
}

// Simulates the next use of a link by a message. The first byte of a message may enter the next
// link before the last byte has left the previous link. The message has arrived when its last byte
// has arrived.
std::optional<timing::arrived> network::take_step() {
  step next = under_way_.top();
  under_way_.pop();
  picoseconds& free = next_way(next);
  const picoseconds head = std::max(next.time, free);
  free = head + occupied(next);
  next.tail = std::max(next.tail, free);
  if (next.way == way_in) return timing::arrived{next.message, next.tail / per_nanosecond + 1};
  const picoseconds travel = next.way == way_out ? parameters_.latency : 0;
  next.time = head + travel;
  next.tail += travel;
  next.way = next.way == way_out && stays_in_leaf(next.message) ? way_in : next.way + 1;
  next.number = posted_++;
  under_way_.push(next);
  return std::nullopt;
}

namespace {

constexpr double line_bytes = 64;
/// Number of transfers between cache and memory per touched cache line. One transfer loads the
/// line, and another transfer writes back the modified line that the new line evicts.
constexpr double transfers_of_a_line = 2;

/// Maximum number of picoseconds that are charged at a time: one day. The limit prevents an
/// overflow if the user sets very high costs of work.
constexpr double most_at_once = 86'400e12;

/// Returns which fraction of `bytes` bytes does not fit into a cache of `cache` bytes.
double part_beyond(std::int64_t cache, std::uint64_t bytes) {
  const double all = static_cast<double>(bytes);
  return all == 0 ? 0 : std::max(0.0, 1 - static_cast<double>(cache) / all);
}

}  // namespace

processors::processors(const model& parameters, int pes, std::uint64_t node_size)
    : parameters_(parameters),
      node_size_(node_size),
      processors_(static_cast<std::size_t>(pes),
                  {std::vector<std::uint64_t>(parameters.prices.size()), 0}),
      to_memory_(static_cast<std::size_t>(pes - 1) / node_size + 1) {}

double processors::part_from_memory(const model& parameters, std::uint64_t bytes) {
  return part_beyond(std::max(parameters.second_level, parameters.third_level), bytes);
}

double processors::price_of_line(const model& parameters, std::uint64_t bytes) {
  const double beyond_second = part_beyond(parameters.second_level, bytes);
  const double from_memory = part_from_memory(parameters, bytes);
  return (1 - beyond_second) * static_cast<double>(parameters.second_level_line) +
         (beyond_second - from_memory) * static_cast<double>(parameters.third_level_line) +
         from_memory * static_cast<double>(parameters.memory_line);
}

/// Returns the work that the PE has counted since the last call. If the PE has no counters yet, the
/// result contains no work.
processors::work processors::new_work(processor& of) const {
  work found;
  if (current_pe == nullptr) return found;
  const observe::counters& counted = *current_pe->counters;
  for (std::size_t i = 0; i < parameters_.prices.size(); ++i) {
    const price& each = parameters_.prices[i];
    const std::uint64_t present = counted.*each.counter;
    const auto more = static_cast<double>(present - std::exchange(of.paid[i], present));
    found.time += static_cast<double>(each.each) * more;
    found.lines += static_cast<double>(each.lines) * more;
    found.bytes += static_cast<double>(each.bytes) * more;
  }
  if (found.lines > 0) {
    const std::uint64_t held = counted.global_bytes_peak;
    found.time += found.lines * price_of_line(parameters_, held);
    found.bytes +=
        found.lines * part_from_memory(parameters_, held) * line_bytes * transfers_of_a_line;
  }
  return found;
}

// Returns how long the memory of the node needs to transfer `bytes` bytes, including the backlog of
// earlier transfers. The backlog shrinks as time passes. If `time` is earlier than the latest
// transfer, the backlog belongs to later traffic, and the PE waits only for its own bytes.
picoseconds processors::by_the_way_to_memory(int pe, picoseconds time, double bytes) {
  memory_way& way = to_memory_[static_cast<std::size_t>(pe) / node_size_];
  const double gap = static_cast<double>(parameters_.memory_gap_per_byte);
  const auto own = static_cast<picoseconds>(std::min(most_at_once, bytes * gap));
  if (time < way.time) {
    way.backlog += own;
    return own;
  }
  way.backlog = std::max<picoseconds>(0, way.backlog - (time - way.time)) + own;
  way.time = time;
  return way.backlog;
}

// Because computing and memory transfers overlap, the PE is charged the longer of the two times.
nanoseconds processors::take(moment at, picoseconds more) {
  processor& of = processors_[static_cast<std::size_t>(at.pe)];
  const work done = new_work(of);
  const picoseconds begin = at.time * per_nanosecond;
  picoseconds whole = of.owed + more + static_cast<picoseconds>(std::min(most_at_once, done.time));
  if (done.bytes > 0) whole = std::max(whole, by_the_way_to_memory(at.pe, begin, done.bytes));
  of.owed = whole % per_nanosecond;
  return whole / per_nanosecond;
}

namespace {

/// Returns true if a host would find that each of its PEs has a core of its own. If hosts are
/// namespaces of one machine, a host does not know that other hosts share its cores
/// (job/mpi_job.cpp).
bool each_has_a_core(const model& parameters, const settings& options, int pes) {
  const auto on_a_node = std::min(options.sim_node_size, static_cast<std::uint64_t>(pes));
  return parameters.shared_cores == 0 ||
         on_a_node <= static_cast<std::uint64_t>(parameters.shared_cores);
}

std::size_t buffers_within_a_node(const settings& options, int pes, bool own) {
  if (static_cast<std::uint64_t>(pes) <= options.sim_node_size)
    return shm::slots_of_pair(pes, options, own);
  settings of_node = options;
  of_node.buffers_per_pair = internode::near_buffers_per_pair;
  return shm::slots_of_pair(static_cast<int>(options.sim_node_size), of_node, own);
}

}  // namespace

cluster::cluster(const settings& options, int pes)
    : parameters_(model::of(options)),
      own_cores_(each_has_a_core(parameters_, options, pes)),
      buffers_of_pair_(buffers_within_a_node(options, pes, false)),
      own_buffers_(buffers_within_a_node(options, pes, true)),
      network_(parameters_, pes, options.sim_node_size),
      processors_(parameters_, pes, options.sim_node_size),
      cores_(static_cast<std::size_t>(std::min<std::int64_t>(parameters_.shared_cores, pes)), pes,
             parameters_.tick / per_nanosecond, parameters_.core_switch / per_nanosecond) {}

}  // namespace atl::transport::sim
