// Measures the concurrent queue of oneTBB.

#include "ordered/load.hpp"

#include <oneapi/tbb/concurrent_queue.h>

namespace {

struct shared_queue {
  tbb::concurrent_queue<std::uint64_t> elements;

  void push(std::uint64_t value) { elements.push(value); }
  bool pop(std::uint64_t& value) { return elements.try_pop(value); }
};

bool run(const bench::ordered::options& o) {
  if (o.structure != "queue") throw bench::bad_input("--structure: oneTBB has only a queue");
  shared_queue queue;
  return measure(queue, o);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::ordered::run_peer("the concurrent queue of oneTBB", argc, argv, run);
}
