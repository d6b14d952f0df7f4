// The timeline shows an event as an arrow, from the place where the event ended to the places where
// tasks waited for it.

#include "atoll/event.hpp"
#include "support/run_on.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace atl;

namespace {

class event_arrows : public test::on_pes {};

/// The start or the end of an arrow in the timeline.
struct arrow_end {
  int pe;
  double time;
};

std::map<std::string, std::vector<arrow_end>> ends_of_arrows(const nlohmann::json& document,
                                                             const std::string& phase) {
  std::map<std::string, std::vector<arrow_end>> found;
  for (const auto& event : document["traceEvents"]) {
    if (event["ph"] == phase)
      found[event["id"]].push_back({event["pid"].get<int>() - 1, event["ts"].get<double>()});
  }
  return found;
}

TEST_P(event_arrows, lead_to_every_pe_where_tasks_waited) {
  const std::string path = std::filesystem::temp_directory_path() /
                           ("atoll_arrows_test_" + std::to_string(getpid()) + ".json");
  options.trace = path;
  run([]() -> task<> {
    const user_event go = make_user_event();
    const auto waiting = co_await make_array<int>(1);
    const auto wait_for_it = [go, waiting]() -> task<> {
      // A PE gets an arrow only if its task waits before the event triggers.
      async_fetch_add(waiting[0], 1);
      co_await go;
    };
    const auto start = [&]() -> task<> {
      for (int pe = 0; pe < pes(); ++pe) async_call(pe, wait_for_it);
      while (co_await read(waiting[0]) < pes()) co_await sleep_for(100'000);
      go.trigger();
    };
    co_await finish(start);
  });
  const auto document = nlohmann::json::parse(std::ifstream(path));
  std::filesystem::remove(path);
  const auto begins = ends_of_arrows(document, "s");
  std::set<int> reached;
  for (const auto& [id, ends] : ends_of_arrows(document, "f")) {
    ASSERT_TRUE(begins.contains(id)) << id;
    EXPECT_EQ(begins.at(id).front().pe, 0);
    // The order of times is checked on PE 0 only. On another PE, the arrow points at the beginning
    // of a period of work, which may precede the end of the event.
    if (ends.front().pe == 0) {
      EXPECT_LE(begins.at(id).front().time, ends.front().time);
    }
    reached.insert(ends.front().pe);
  }
  EXPECT_EQ(reached.size(), static_cast<std::size_t>(size()));
}

ATOLL_RUN_ON(event_arrows, 1, 2, 3);

}  // namespace
