// Tests the model of a cluster, in which the real runtime runs on simulated nodes. Two simulations
// with equal settings must have equal times. Each parameter of the model must change the times in
// the right direction.

#include "atoll/transport/sim/cluster.hpp"
#include "graph/scratch_file.hpp"
#include "job/jobs.hpp"

#include "atoll/base/pe.hpp"
#include "atoll/error.hpp"
#include "atoll/observe/counters.hpp"

#include <gmock/gmock.h>

namespace atl::transport {
namespace {

using testing::HasSubstr;

settings modelled(int pes, std::uint64_t node_size, const std::string& vary = "") {
  settings options = job_settings(pes, way{pe_kind::thread, 1});
  options.sim_model = sim_model::grappa2014;
  options.sim_node_size = node_size;
  options.sim_vary = vary;
  options.buffers_per_pair = 0;
  // PEs must not sleep, because a sleeping PE would notice an arrival late.
  options.idle_yields = 1'000'000;
  return options;
}

/// Returns the time at which every PE has received `rounds` notices from every other PE.
nanoseconds time_of_gossip(const settings& options, int rounds = 4) {
  nanoseconds last = 0;
  const int status = run_pes(options, [&](endpoint& wire) {
    for (int round = 0; round < rounds; ++round)
      for (int pe = 0; pe < wire.size(); ++pe) notify(wire, pe);
    for (int left = rounds * wire.size(); left > 0; --left) await_notice(wire);
    last = std::max(last, wire.now());
    return 0;
  });
  EXPECT_EQ(status, 0);
  return last;
}

/// Returns the time from the sending of a buffer of PE 0 to its delivery on the last PE.
nanoseconds time_of_a_buffer(const settings& options, std::uint32_t bytes) {
  nanoseconds sent = 0;
  nanoseconds delivered = 0;
  const int status = run_pes(options, [&](endpoint& wire) {
    if (wire.rank() == 0) {
      std::byte* const buffer = acquire_waiting(wire, wire.size() - 1);
      std::memset(buffer, 0, bytes);
      sent = wire.now();
      wire.submit(wire.size() - 1, bytes);
    }
    if (wire.rank() == wire.size() - 1) {
      await_notice(wire);
      delivered = wire.now();
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
  return delivered - sent;
}

TEST(cluster_model, gives_the_same_time_for_every_seed) {
  settings options = modelled(6, 2);
  const nanoseconds first = time_of_gossip(options);
  for (const std::uint64_t seed : {1, 2, 3}) {
    options.sim_seed = seed;
    EXPECT_EQ(time_of_gossip(options), first);
  }
}

TEST(cluster_model, a_buffer_takes_overhead_latency_and_gap_per_byte) {
  const auto parameters = sim::model::of(modelled(4, 2));
  const auto between_nodes = [&](std::uint32_t bytes) {
    const auto gap = std::max(parameters.gap, parameters.gap_per_byte * bytes);
    const auto overhead = parameters.overhead + parameters.overhead_per_byte * bytes;
    return (2 * overhead + parameters.latency + gap) / 1000;
  };
  for (const std::uint32_t bytes : {8u, 1000u}) {
    const nanoseconds taken = time_of_a_buffer(modelled(4, 2), bytes);
    EXPECT_GE(taken, between_nodes(bytes)) << bytes;
    EXPECT_LE(taken, between_nodes(bytes) + parameters.yield / 1000 + 200) << bytes;
  }
}

TEST(cluster_model, is_faster_within_a_node) {
  EXPECT_LT(2 * time_of_a_buffer(modelled(4, 4), 8), time_of_a_buffer(modelled(4, 2), 8));
}

TEST(cluster_model, every_parameter_of_the_network_slows_a_cluster_down) {
  const nanoseconds usual = time_of_gossip(modelled(6, 2));
  for (const std::string name : {"overhead", "latency", "gap", "look", "far_look"}) {
    EXPECT_GT(time_of_gossip(modelled(6, 2, name + "=10")), usual) << name;
    EXPECT_LT(time_of_gossip(modelled(6, 2, name + "=0.1")), usual) << name;
  }
  const nanoseconds usual_in_a_node = time_of_gossip(modelled(6, 6));
  EXPECT_GT(time_of_gossip(modelled(6, 6, "local_overhead=3")), usual_in_a_node);
  EXPECT_GT(time_of_a_buffer(modelled(6, 6, "local_latency=3"), 8),
            time_of_a_buffer(modelled(6, 6), 8));
  EXPECT_GT(time_of_gossip(modelled(6, 2, "gap_per_byte=5000,gap=0")), usual);
  EXPECT_GT(time_of_a_buffer(modelled(6, 2, "overhead_per_byte=10"), 1000),
            time_of_a_buffer(modelled(6, 2), 1000) + 1500);
}

/// Returns the time from the sending of a notice to its delivery, after all PEs have been silent
/// for `pause`. PE 0 sends to the last PE, on another node. The PEs in between do nothing.
nanoseconds time_after_a_pause(nanoseconds pause, settings options) {
  options.idle_yields = 20;
  nanoseconds sent = 0;
  nanoseconds delivered = 0;
  const int status = run_pes(options, [&](endpoint& wire) {
    if (wire.rank() == 0) {
      wire.wait(wire.now() + pause);
      sent = wire.now();
      notify(wire, wire.size() - 1);
    } else if (wire.rank() == wire.size() - 1) {
      await_notice(wire);
      delivered = wire.now();
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
  return delivered - sent;
}

// A message from another node does not wake a sleeping PE. A PE that has waited for long sleeps
// between two polls, and finds a message from another node only after a sleep.
TEST(cluster_model, a_pe_that_naps_finds_a_message_late) {
  const nanoseconds late = time_after_a_pause(10'000'000, modelled(2, 1));
  EXPECT_GT(late, 10'000);
  EXPECT_LT(late, 600'000);
  EXPECT_NE(time_after_a_pause(10'000'000, modelled(2, 1, "waking=2")), late);
}

TEST(cluster_model, a_pe_naps_at_once_where_others_need_its_core) {
  const scratch_folder folder;
  const auto with_cores = [&](settings options) {
    options.sim_prices = folder.file("prices.json", R"({"prices": {"shared_cores": 1}})");
    return options;
  };
  EXPECT_LT(time_after_a_pause(200'000, modelled(2, 1)), 5'000);
  const nanoseconds late = time_after_a_pause(200'000, with_cores(modelled(4, 2)));
  EXPECT_GT(late, 5'000);
  EXPECT_LT(late, 600'000);
  EXPECT_LT(time_after_a_pause(200'000, with_cores(modelled(2, 1))), 5'000)
      << "a host of one PE knows of no other";
}

// A sender that has used all its credits waits until the receiver returns some. Each wait for
// credits takes a whole round trip.
TEST(cluster_model, credits_between_nodes_are_messages) {
  const auto time_of_buffers = [](std::uint64_t a_pair, const std::string& vary) {
    settings options = modelled(2, 1, vary);
    options.buffers_per_pair = a_pair;
    nanoseconds last = 0;
    const int status = run_pes(options, [&](endpoint& wire) {
      for (int i = 0; i < 32; ++i) {
        if (wire.rank() == 0) notify(wire, 1);
        if (wire.rank() == 1) await_notice(wire);
      }
      last = std::max(last, wire.now());
      return 0;
    });
    EXPECT_EQ(status, 0);
    return last;
  };
  const nanoseconds round_trip = 2 * sim::model::of(modelled(2, 1)).latency / 1000;
  EXPECT_GT(time_of_buffers(2, ""), time_of_buffers(64, "") + 10 * round_trip);
  EXPECT_GT(time_of_buffers(2, "latency=2"), time_of_buffers(2, "") + 10 * round_trip);
}

TEST(cluster_model, the_pes_of_a_node_share_its_network) {
  // The number of rounds is smaller than the number of buffers of a pair of PEs, because all PEs
  // send before they receive.
  const int rounds = 3;
  const auto alone = time_of_gossip(modelled(2, 1, "gap=1000"), rounds);
  const auto shared = time_of_gossip(modelled(8, 4, "gap=1000"), rounds);
  // Four times as many PEs send 16 times as many buffers between the two nodes. With a gap this
  // long, the buffers take nearly all of the time.
  EXPECT_GT(shared, 8 * alone);
}

/// Returns the time at which the slowest PE of a node has finished its work. All PEs begin at time
/// 0, and `work` counts the work of each PE in counters.
double time_of_work(const auto& work, const settings& options) {
  nanoseconds spent = 0;
  const int status = run_pes(options, [&](endpoint& wire) {
    observe::counters counted;
    pe self{.counters = &counted};
    current_pe = &self;
    work(counted);
    spent = std::max(spent, wire.now());
    current_pe = nullptr;
    return 0;
  });
  EXPECT_EQ(status, 0);
  return static_cast<double>(spent);
}

double time_of_work(const auto& work, const std::string& vary = "", int pes = 1) {
  return time_of_work(work, modelled(pes, 16, vary));
}

TEST(cluster_model, charges_what_a_pe_counts) {
  const auto hash = [](observe::counters& counted) { counted.tree_nodes_hashed += 1'000'000; };
  EXPECT_NEAR(time_of_work(hash), 27e6, 1000);
  EXPECT_NEAR(time_of_work(hash, "tree_nodes_hashed=2"), 54e6, 1000);
}

/// Returns work that makes a million accesses to random cache lines in `bytes` bytes of memory.
auto touch(std::uint64_t bytes) {
  return [bytes](observe::counters& counted) {
    counted.global_bytes_peak = bytes;
    counted.lines_touched += 1'000'000;
  };
}

TEST(cluster_model, a_line_costs_what_the_caches_do_not_hold) {
  const auto parameters = sim::model::of(modelled(1, 1));
  const double small = time_of_work(touch(1 << 10));
  const double large = time_of_work(touch(std::uint64_t{1} << 40));
  EXPECT_NEAR(small, 1e3 * double(parameters.second_level_line), 1000);
  EXPECT_NEAR(large, 1e3 * double(parameters.memory_line), 1e4);
  double before = small;
  for (std::uint64_t bytes = 1 << 21; bytes <= 1 << 26; bytes *= 2) {
    const double time = time_of_work(touch(bytes));
    EXPECT_GT(time, before) << bytes;
    before = time;
  }
  EXPECT_LT(before, large);
  EXPECT_NEAR(time_of_work(touch(1 << 10), "second_level=0,third_level=0"), large, 1e4);
}

TEST(cluster_model, the_pes_of_a_node_share_the_way_to_memory) {
  const std::uint64_t much = std::uint64_t{1} << 40;
  const double alone = time_of_work(touch(much), "memory_gap_per_byte=0.5");
  const double two = time_of_work(touch(much), "memory_gap_per_byte=0.5", 2);
  const double sixteen = time_of_work(touch(much), "memory_gap_per_byte=0.5", 16);
  EXPECT_NEAR(two, alone, 0.01 * alone) << "it carries what two move";
  EXPECT_GT(sixteen, 2 * alone);
  EXPECT_NEAR(time_of_work(touch(1 << 10), "", 16), time_of_work(touch(1 << 10)), 1000)
      << "what is in the caches moves nothing";
}

/// When the first PE and the last PE have finished 100 polls for messages each.
struct ends {
  nanoseconds first;
  nanoseconds last;
};
/// Each PE polls for messages 100 times, which takes 27 ms of processor time unless `vary` changes
/// the price of a poll. PEs with the number `waiting` or a higher number do not poll but wait for
/// 200 ms.
ends ends_of_looks(std::int64_t cores, int pes, int waiting, const std::string& vary = "") {
  const scratch_folder folder;
  settings options = modelled(pes, 1, vary);
  options.sim_prices =
      folder.file("prices.json", R"({"prices": {"look": 270000000, "shared_cores": )" +
                                     std::to_string(cores) + "}}");
  ends found{transport::forever, 0};
  const int status = run_pes(options, [&](endpoint& wire) {
    if (wire.rank() >= waiting) {
      wire.wait(200'000'000, awaited::anything);
      return 0;
    }
    for (int i = 0; i < 100; ++i) EXPECT_EQ(wire.poll().data, nullptr);
    found = {std::min(found.first, wire.now()), std::max(found.last, wire.now())};
    return 0;
  });
  EXPECT_EQ(status, 0);
  return found;
}

nanoseconds time_of_looks(std::int64_t cores, int pes, int waiting) {
  return ends_of_looks(cores, pes, waiting).last;
}

TEST(cluster_model, pes_that_share_cores_take_turns) {
  constexpr nanoseconds alone = 27'000'000;
  constexpr nanoseconds tick = 4'000'000;
  for (const int pes : {1, 2, 3, 5}) EXPECT_NEAR(time_of_looks(0, pes, pes), alone, 20e3) << pes;
  EXPECT_NEAR(time_of_looks(2, 2, 2), alone, 20e3);
  for (const int pes : {3, 5, 8}) {
    const nanoseconds of_all = (pes + 1) / 2 * alone;
    EXPECT_GE(time_of_looks(2, pes, pes), of_all - pes * 270'000) << pes << ", but for first looks";
    EXPECT_LE(time_of_looks(2, pes, pes), of_all + 4 * tick) << pes;
  }
}

/// Without the ticks of the scheduler, the first PE would finish all its work before the second PE
/// begins.
TEST(cluster_model, turns_on_a_core_are_as_long_as_a_tick) {
  EXPECT_GT(ends_of_looks(1, 3, 3).first, 2 * 27'000'000);
}

// Three PEs share two cores, and each PE needs 270 ms of processor time. If two PEs shared one core
// until their end, the two PEs would need 540 ms.
TEST(cluster_model, no_pe_has_half_a_core_for_ever) {
  EXPECT_LT(ends_of_looks(2, 3, 3, "look=10").last, 500'000'000);
}

TEST(cluster_model, a_core_takes_time_to_go_over_to_another_pe) {
  const nanoseconds usual = ends_of_looks(1, 2, 2).last;
  const nanoseconds slow = ends_of_looks(1, 2, 2, "core_switch=100").last;
  EXPECT_GT(slow, usual + 10 * 200'000) << "27 ms each, in turns of 4 ms";
  EXPECT_LT(slow, usual + 20 * 210'000);
}

TEST(cluster_model, a_pe_that_waits_gives_its_core_away) {
  EXPECT_LT(time_of_looks(1, 2, 1), 40'000'000);
  EXPECT_GT(time_of_looks(1, 2, 2), 50'000'000);
}

TEST(cluster_model, a_pe_does_not_wait_for_what_another_moves_later) {
  nanoseconds of_other = 0;
  const int status = run_pes(modelled(2, 16, "memory_gap_per_byte=0.5"), [&](endpoint& wire) {
    observe::counters counted;
    pe self{.counters = &counted};
    current_pe = &self;
    if (wire.rank() == 0) counted.tree_nodes_hashed += 1'000'000;
    wire.now();
    counted.bytes_copied += wire.rank() == 0 ? 100'000'000 : 1000;
    const nanoseconds time = wire.now();
    if (wire.rank() == 1) of_other = time;
    current_pe = nullptr;
    return 0;
  });
  EXPECT_EQ(status, 0);
  EXPECT_LT(of_other, 1000);
}

/// Returns when PE 0 has received a buffer of 1,000 bytes from each other PE, each on a node of its
/// own.
nanoseconds time_of_incast(int senders, const std::string& vary) {
  nanoseconds last = 0;
  const int status = run_pes(modelled(1 + senders, 1, vary), [&](endpoint& wire) {
    if (wire.rank() != 0) {
      std::memset(acquire_waiting(wire, 0), 0, 1000);
      wire.submit(0, 1000);
      return 0;
    }
    for (int left = senders; left > 0; --left) await_notice(wire);
    last = wire.now();
    return 0;
  });
  EXPECT_EQ(status, 0);
  return last;
}

TEST(cluster_model, senders_to_one_node_share_its_way_in) {
  const std::string slow = "gap=0,gap_per_byte=100";  // The network needs 31 us per buffer.
  const nanoseconds more = time_of_incast(9, slow) - time_of_incast(1, slow);
  EXPECT_NEAR(double(more), 8 * 31'200.0, 2'000);
}

TEST(cluster_model, nodes_of_a_leaf_share_its_ways_as_far_as_they_are_too_few) {
  // The job has two leaf switches with three nodes each. Each node of the first leaf switch sends
  // to one node of the second leaf switch.
  const auto time_across = [](const std::string& vary) {
    nanoseconds last = 0;
    const int status =
        run_pes(modelled(6, 1, "leaf_nodes=0.167,gap_per_byte=100," + vary), [&](endpoint& wire) {
          if (wire.rank() < 3) {
            std::memset(acquire_waiting(wire, wire.rank() + 3), 0, 1000);
            wire.submit(wire.rank() + 3, 1000);
          } else {
            await_notice(wire);
            last = std::max(last, wire.now());
          }
          return 0;
        });
    EXPECT_EQ(status, 0);
    return double(last);
  };
  const double a_buffer = 31'200;
  const double unbounded = time_across("oversubscription=0");
  EXPECT_NEAR(time_across("oversubscription=1"), unbounded + 2 * a_buffer / 3, 1'000)
      << "the last head waits for two tails";
  EXPECT_NEAR(time_across("oversubscription=6"), unbounded + 5 * a_buffer, 1'000)
      << "three buffers pass one after the other, each in twice its time";
}

std::string complaint_about(const std::string& vary) {
  try {
    sim::model::of(modelled(1, 1, vary));
  } catch (const error& wrong) {
    return wrong.what();
  }
  return "";
}

TEST(cluster_model, refuses_what_it_does_not_know) {
  EXPECT_THAT(complaint_about("latenzy=2"), HasSubstr("no parameter latenzy, only "));
  EXPECT_THAT(complaint_about("latency"), HasSubstr("latency=2"));
  EXPECT_THAT(complaint_about("latency=much"), HasSubstr("\"much\" is no factor"));
  EXPECT_THAT(complaint_about("latency=-1"), HasSubstr("is no factor"));
  EXPECT_EQ(complaint_about("latency=0.5,gap=2"), "");
}

TEST(cluster_model, modern_network_is_faster_in_everything) {
  settings options = modelled(6, 2);
  const nanoseconds of_the_papers = time_of_gossip(options);
  options.sim_model = sim_model::modern;
  EXPECT_LT(time_of_gossip(options), of_the_papers);
}

}  // namespace
}  // namespace atl::transport
