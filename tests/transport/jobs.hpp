#pragma once
// Jobs for the tests of the transport: a body on several PEs, as processes and as threads.

#include "atoll/base/error.hpp"
#include "atoll/transport/bootstrap.hpp"

#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace atoll::transport {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool only_threads = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool only_threads = true;
#else
inline constexpr bool only_threads = false;
#endif
#else
inline constexpr bool only_threads = false;
#endif

/// For the body of a PE, which may be another process: a failure becomes the job's exit status 1.
inline void require(bool condition, const std::string& sentence) {
  if (!condition) fail(errc::wrong_result, "{}", sentence);
}

inline settings job_settings(int pes, pe_kind kind) {
  settings options;
  options.pes = static_cast<std::uint64_t>(pes);
  options.pe_kind = kind;
  return options;
}

inline std::byte* acquire_waiting(endpoint& wire, int destination) {
  std::byte* buffer = wire.acquire(destination);
  for (; buffer == nullptr; buffer = wire.acquire(destination)) wire.wait(forever);
  return buffer;
}

inline delivery poll_waiting(endpoint& wire) {
  delivery arrived = wire.poll();
  for (; arrived.data == nullptr; arrived = wire.poll()) wire.wait(forever);
  return arrived;
}

/// Sends one small buffer, which only says that something happened.
inline void notify(endpoint& wire, int destination) {
  *acquire_waiting(wire, destination) = std::byte{1};
  wire.submit(destination, 1);
}

inline int await_notice(endpoint& wire) {
  const int source = poll_waiting(wire).source;
  wire.release();
  return source;
}

/// Tests at several numbers of PEs, odd ones included, of both kinds.
class jobs : public testing::TestWithParam<std::tuple<int, pe_kind>> {
 protected:
  jobs() : options_(job_settings(std::get<0>(GetParam()), std::get<1>(GetParam()))) {}

  int pes() const { return std::get<0>(GetParam()); }
  int run(const pe_main& body) { return run_pes(options_, body); }

  settings options_;
};

inline std::string job_name(const testing::TestParamInfo<std::tuple<int, pe_kind>>& info) {
  const bool processes = std::get<1>(info.param) == pe_kind::process;
  return std::to_string(std::get<0>(info.param)) + (processes ? "_processes" : "_threads");
}

inline std::vector<std::tuple<int, pe_kind>> job_shapes(const std::vector<pe_kind>& kinds,
                                                        const std::vector<int>& sizes) {
  std::vector<std::tuple<int, pe_kind>> shapes;
  for (const int pes : sizes)
    for (const pe_kind kind : kinds)
      if (kind == pe_kind::thread || !only_threads) shapes.emplace_back(pes, kind);
  return shapes;
}

#define ATOLL_INSTANTIATE(suite, kinds, ...)                                                       \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite);                                            \
  INSTANTIATE_TEST_SUITE_P(                                                                        \
      all, suite, testing::ValuesIn(job_shapes(kinds, std::vector<int>{__VA_ARGS__})), job_name)

inline const std::vector<pe_kind> both_kinds{pe_kind::process, pe_kind::thread};
inline const std::vector<pe_kind> processes_only{pe_kind::process};
inline const std::vector<pe_kind> threads_only{pe_kind::thread};

}  // namespace atoll::transport
