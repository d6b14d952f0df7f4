#pragma once
// Cores of this process, and one thread of a team on each.

#include <chrono>
#include <functional>
#include <vector>

namespace bench {

/// The processors this process may use, in ascending order.
std::vector<int> available_processors();

/// Binds the calling thread to the k-th available processor (k modulo their number).
void pin_to_processor(std::size_t k);

/// Runs `body(k)` on `count` pinned threads at once and waits for all of them. An exception of a
/// thread is thrown again here.
void run_pinned(std::size_t count, const std::function<void(std::size_t)>& body);

class stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The middle value; the mean of the two middle ones where their number is even.
double median(std::vector<double> values);

}  // namespace bench
