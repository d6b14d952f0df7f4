// Tests C++ objects with constructors and destructors, streams, exceptions, and threads that are
// started later.

#include "cases.h"

#include <atomic>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct base {
  virtual ~base() = default;
  virtual int value() const = 0;
};

struct derived : base {
  int value() const override { return 5; }
};

struct says_its_end {
  std::string text;
  ~says_its_end() { std::cout << text; }
};

std::vector<int> numbers{1, 2, 3};
std::map<std::string, int> table{{"one", 1}, {"two", 2}};
std::string short_text = "short";  // A short string contains a pointer into itself.
std::string long_text(1000, 'x');
std::ostringstream stream;
derived object;
const base* const by_base = &object;
std::mutex mutex;
std::once_flag once;
std::atomic<long> counter{1};
thread_local std::string of_thread = "of thread";
says_its_end last;

std::string& made_at_first_use() {
  static std::string made = "made";
  return made;
}

void throw_and_catch(const char* text) {
  try {
    throw std::runtime_error(text);
  } catch (const std::exception& error) {
    CHECK(std::string(error.what()) == text);
  }
}

void count_in_threads() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      CHECK(of_thread == "of thread");
      for (int k = 0; k < 10000; ++k) {
        const std::lock_guard lock(mutex);
        counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(counter == 40001);
}

void check_values() {
  CHECK(numbers == std::vector({1, 2, 3, 4}) && table.at("two") == 2 && table.size() == 3);
  CHECK(short_text == "short" && long_text.size() == 1001 && by_base->value() == 5);
  CHECK(stream.str() == "in a stream " && of_thread == "changed");
  numbers.resize(1000);
  table["four"] = 4;
  short_text += " no more, but of a length that needs memory";
  stream << 17;
  CHECK(stream.str() == "in a stream 17");
}

}  // namespace

// Writes the lines "before, after" and "destroyed".
int objects() {
  numbers.push_back(4);
  table["three"] = 3;
  long_text += 'y';
  of_thread = "changed";
  last.text = "destroyed\n";
  stream << "in a stream ";
  throw_and_catch("before");
  std::call_once(once, [] {});
  std::cout << "before, ";
  expose();
  std::cout << "after" << std::endl;
  check_values();
  throw_and_catch("after");
  std::call_once(once, [] { CHECK(false); });
  CHECK(made_at_first_use() == "made" && is_exposed(&made_at_first_use()));
  CHECK(is_exposed(&numbers) && is_exposed(&object) && is_exposed(&counter));
  count_in_threads();
  return 0;
}
