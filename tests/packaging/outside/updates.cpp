// Runs jobs whose tasks and messages are code of a shared object.

#include <atoll/atoll.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

// This function of the program has the name of a function of the C library.
long long four() { return std::atoll("4"); }

atl::task<> program() {
  const auto words = co_await atl::make_array<std::uint64_t>(1000);
  co_await atl::parallel_for(1000 * four(), [=](std::uint64_t i) {
    atl::async_update(words[i % 1000], [i](std::uint64_t& word) { word += i; });
  });
  const auto first = co_await atl::read(words[7]);
  std::printf("%d PEs: %llu\n", atl::pes(), static_cast<unsigned long long>(first));
}

}  // namespace

extern "C" int run_updates(int argc, char** argv) { return atl::run(argc, argv, program); }
