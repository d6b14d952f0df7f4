// Measures the lock-free stack of Boost.

#include "ordered/load.hpp"

#include <boost/lockfree/stack.hpp>

namespace {

struct shared_stack {
  boost::lockfree::stack<std::uint64_t> elements;

  explicit shared_stack(std::size_t most) : elements(most) {}
  void push(std::uint64_t value) { elements.push(value); }
  bool pop(std::uint64_t& value) { return elements.pop(value); }
};

bool run(const bench::ordered::options& o) {
  if (o.structure != "stack") throw bench::bad_input("--structure: Boost has only a stack");
  shared_stack stack(o.prefill + o.operations);
  return measure(stack, o);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::ordered::run_peer("the lock-free stack of Boost", argc, argv, run);
}
