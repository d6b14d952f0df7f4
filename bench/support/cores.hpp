#pragma once
// The cores of this process, and groups of threads with one thread per core.

#include <chrono>
#include <functional>
#include <vector>

namespace bench {

/// Returns the processors that this process may use, in ascending order.
std::vector<int> available_processors();

/// Binds the calling thread to the processor with the index k (modulo their number) in
/// `available_processors()`.
void pin_to_processor(std::size_t k);

/// Runs `body(k)` on `count` threads at once, each bound to a processor, and waits for all of them.
/// Rethrows an exception of a thread.
void run_pinned(std::size_t count, const std::function<void(std::size_t)>& body);

class stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Returns the median: the middle value, or the mean of the two middle values if their number is
/// even.
double median(std::vector<double> values);

}  // namespace bench
