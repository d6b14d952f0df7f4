#pragma once
// Counts, in shared memory, expectations that fail in forked PEs. If an expectation fails in a
// forked PE, the test fails in the process that started the job.

#include <atomic>
#include <gtest/gtest.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace atl::test {

/// While the object exists, failed expectations in children of this process are counted. The
/// destructor reports the failed expectations of children as failures of the test. Only one object
/// of this class may exist at a time.
class shared_failures {
 public:
  shared_failures() {
    static listener* const once = [] {
      auto* made = new listener;
      testing::UnitTest::GetInstance()->listeners().Append(made);
      return made;
    }();
    listener_ = once;
    listener_->count() = 0;
    listener_->owner = getpid();
  }
  ~shared_failures() {
    EXPECT_EQ(listener_->count(), 0) << "expectations failed on other PEs; they are printed above";
  }
  shared_failures(const shared_failures&) = delete;
  shared_failures& operator=(const shared_failures&) = delete;

 private:
  class listener : public testing::EmptyTestEventListener {
   public:
    listener() {
      void* shared = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
      if (shared == MAP_FAILED) throw std::bad_alloc();
      count_ = new (shared) std::atomic<int>(0);
    }
    void OnTestPartResult(const testing::TestPartResult& result) override {
      if (result.failed() && getpid() != owner) ++*count_;
    }
    std::atomic<int>& count() { return *count_; }

    pid_t owner = 0;

   private:
    std::atomic<int>* count_;
  };

  listener* listener_;
};

}  // namespace atl::test
