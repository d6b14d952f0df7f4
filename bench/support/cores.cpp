#include "support/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <thread>

namespace bench {

std::vector<int> available_processors() {
  static const auto processors = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) throw std::runtime_error("no processor list");
    std::vector<int> found;
    for (int i = 0; i < CPU_SETSIZE; ++i) {
      if (CPU_ISSET(i, &set)) found.push_back(i);
    }
    return found;
  }();
  return processors;
}

void pin_to_processor(std::size_t k) {
  const auto processors = available_processors();
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processors[k % processors.size()], &set);
  sched_setaffinity(0, sizeof set, &set);
}

void run_pinned(std::size_t count, const std::function<void(std::size_t)>& body) {
  available_processors();  // stores the list of processors before any thread is bound
  std::vector<std::exception_ptr> problems(count);
  std::vector<std::thread> team;
  for (std::size_t k = 0; k < count; ++k) {
    team.emplace_back([&, k] {
      try {
        pin_to_processor(k);
        body(k);
      } catch (...) {
        problems[k] = std::current_exception();
      }
    });
  }
  for (auto& member : team) member.join();
  for (const auto& problem : problems) {
    if (problem) std::rethrow_exception(problem);
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace bench
