// Measures a container of the standard library that one lock protects. A container with one lock is
// the simplest concurrent container.

#include "ordered/load.hpp"

#include <deque>
#include <mutex>
#include <vector>

namespace {

template <class Container>
class locked {
 public:
  void push(std::uint64_t value) {
    const std::scoped_lock lock(mutex_);
    elements_.push_back(value);
  }

  bool pop(std::uint64_t& value) {
    const std::scoped_lock lock(mutex_);
    if (elements_.empty()) return false;
    take(elements_, value);
    return true;
  }

 private:
  static void take(std::vector<std::uint64_t>& stack, std::uint64_t& value) {
    value = stack.back();
    stack.pop_back();
  }
  static void take(std::deque<std::uint64_t>& queue, std::uint64_t& value) {
    value = queue.front();
    queue.pop_front();
  }

  std::mutex mutex_;
  Container elements_;
};

bool run(const bench::ordered::options& o) {
  if (o.structure == "stack") {
    locked<std::vector<std::uint64_t>> stack;
    return measure(stack, o);
  }
  if (o.structure != "queue") throw bench::bad_input("--structure is stack or queue");
  locked<std::deque<std::uint64_t>> queue;
  return measure(queue, o);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::ordered::run_peer("a mutex and a vector (stack) or a deque (queue)", argc, argv,
                                  run);
}
