#include "atoll/transport/sim/world.hpp"

#include "atoll/error.hpp"
#include "atoll/random.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/internode/nodes.hpp"
#include "atoll/transport/sim/cluster.hpp"
#include "atoll/transport/sim/timing.hpp"

#include <cstddef>
#include <initializer_list>

namespace atl::transport::sim {
namespace {

/// Draws all times of a simulated job at random. First, the ranges of the times are drawn, and then
/// each single time is drawn from its range. Different seeds therefore produce very different
/// schedules. With one seed, wires are fast, and with another seed, wires are slow. Delays may vary
/// little or much, and PEs may be interrupted or not.
class chances final : public timing {
 public:
  explicit chances(std::uint64_t seed);

  nanoseconds start() override { return below(1'000); }
  nanoseconds notice() override { return below(10'000'000); }

  /// Returns the time that a poll takes. In rare cases, the time is far longer than usual, as if
  /// another program had used the core.
  nanoseconds look(moment) override { return cost(50, 150); }
  nanoseconds clock(moment) override { return cost(5, 20); }

  nanoseconds handing_over(moment) override { return 0; }
  nanoseconds taking(moment) override { return 0; }
  nanoseconds reaching(moment, std::uint32_t) override { return 0; }
  nanoseconds journey() override { return delay(); }
  nanoseconds return_of_room() override { return delay(); }

  nanoseconds sending(moment, std::uint32_t) override { return 0; }
  nanoseconds receiving(moment, std::uint32_t) override { return 0; }
  nanoseconds looking_far(moment) override { return 0; }
  nanoseconds pause(nanoseconds nap) override { return nap + cost(50, 150); }
  std::optional<nanoseconds> arrival(const shipment&, nanoseconds time) override {
    return time + delay();
  }

  bool own_cores() const override { return false; }
  std::size_t one_of(std::size_t count) override {
    return static_cast<std::size_t>(draws_.below(count));
  }
  std::size_t buffers_of_pair(bool) override {
    return 1 + static_cast<std::size_t>(draws_.below(4));
  }
  std::size_t far_buffers_of_pair() override { return buffers_of_pair(false); }

 private:
  nanoseconds below(nanoseconds bound) {
    return static_cast<nanoseconds>(draws_.below(static_cast<std::uint64_t>(bound)));
  }
  nanoseconds delay();
  nanoseconds cost(nanoseconds least, nanoseconds range);

  random_stream draws_;
  nanoseconds shortest_delay_;
  nanoseconds delay_range_;
  std::uint64_t late_buffers_;   ///< number of buffers among 65536 that are late
  std::uint64_t interruptions_;  ///< number of polls among 65536 that are interrupted
  nanoseconds longest_interruption_;
};

// Selects a stream of random numbers for the simulation. Programs that use the same seed for their
// own random numbers get other numbers than the simulation.
constexpr std::uint64_t purpose = 0x73696d;
// Largest factor by which the delay of a late buffer is multiplied.
constexpr nanoseconds lateness = 30;

template <class Value>
Value pick(random_stream& draws, std::initializer_list<Value> values) {
  return values.begin()[draws.below(values.size())];
}

chances::chances(std::uint64_t seed)
    : draws_(seed, purpose),
      shortest_delay_(pick<nanoseconds>(draws_, {0, 300, 5'000})),
      delay_range_(pick<nanoseconds>(draws_, {100, 1'000, 10'000, 200'000})),
      late_buffers_(pick<std::uint64_t>(draws_, {0, 200, 5'000})),
      interruptions_(pick<std::uint64_t>(draws_, {0, 50, 2'000})),
      longest_interruption_(pick<nanoseconds>(draws_, {1'000, 30'000, 500'000})) {}

nanoseconds chances::delay() {
  const nanoseconds usual = shortest_delay_ + below(delay_range_);
  return draws_.below(65536) < late_buffers_ ? usual * (1 + below(lateness)) : usual;
}

nanoseconds chances::cost(nanoseconds least, nanoseconds range) {
  const nanoseconds usual = least + below(range);
  return draws_.below(65536) < interruptions_ ? usual + below(longest_interruption_) : usual;
}

}  // namespace

kill_plan kill_plan::parse(std::string_view text, int pes) try {
  if (text.empty()) return {};
  const auto at = text.find('@');
  if (at == text.npos) fail(errc::input, "\"{}\" is not a PE and a time, as in 2@150us", text);
  const std::uint64_t pe = parse_count(text.substr(0, at));
  if (pe >= static_cast<std::uint64_t>(pes))
    fail(errc::input, "the job has no PE {}, only 0 to {}", pe, pes - 1);
  return {static_cast<int>(pe), parse_duration(text.substr(at + 1))};
} catch (const error& wrong) {
  fail(wrong.code(), "sim-kill: {}", wrong.what());
}

namespace {

std::unique_ptr<timing> timing_of(const settings& options, int pes) {
  if (options.sim_model == sim_model::none) return std::make_unique<chances>(options.sim_seed);
  return std::make_unique<cluster>(options, pes);
}

int far_partners_of(const settings& options, std::span<const int> nodes) {
  if (nodes.empty()) return 1;
  return internode::partners_beyond(options.aggregation ? options.routing : routing::direct,
                                    nodes.back() + 1, static_cast<int>(options.sim_node_size));
}

std::vector<int> nodes_of(int pes, std::uint64_t node_size) {
  std::vector<int> nodes;
  if (static_cast<std::uint64_t>(pes) <= node_size) return nodes;
  for (int pe = 0; pe < pes; ++pe) nodes.push_back(pe / static_cast<int>(node_size));
  return nodes;
}

}  // namespace

world::world(shm::region& region, const settings& options)
    : job(region),
      seed(options.sim_seed),
      kill(kill_plan::parse(options.sim_kill, region.pes())),
      schedule(region.pes()),
      modelled(options.sim_model != sim_model::none),
      nodes(nodes_of(region.pes(), options.sim_node_size)),
      time(timing_of(options, region.pes())),
      vigilance(internode::vigilance_of(options.idle_yields, time->own_cores())),
      far_buffers_of_pair(options.buffers_per_pair != 0 ? options.buffers_per_pair
                                                        : time->far_buffers_of_pair()),
      far_partners(far_partners_of(options, nodes)),
      buffers(region.buffer_capacity(), modelled),
      buffers_per_pair_(options.buffers_per_pair),
      pes_of_node_(nodes.empty() ? static_cast<std::size_t>(region.pes()) : options.sim_node_size),
      wires_(static_cast<std::size_t>(region.pes()) * pes_of_node_) {}

channel& world::wire(int source, int destination) {
  const auto pair = static_cast<std::size_t>(source) * pes_of_node_ +
                    static_cast<std::size_t>(destination) % pes_of_node_;
  auto& found = wires_[pair];
  if (found == nullptr) {
    const std::size_t most = places_of_pair(source == destination);
    found = std::make_unique<channel>(modelled ? 1 : most, most);
  }
  return *found;
}

std::size_t world::places_of_pair(bool own) {
  return buffers_per_pair_ != 0 ? buffers_per_pair_ : time->buffers_of_pair(own);
}

}  // namespace atl::transport::sim
