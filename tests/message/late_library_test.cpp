// Tests messages for handlers in a shared library that the PEs load while the job runs.

#include "support/run_on.hpp"

#include <dlfcn.h>
#include <filesystem>

using namespace atl;

namespace {

/// Loads a copy of the library under a new name, so that no other test has loaded it before.
class late_library : public test::on_pes {
 protected:
  using adder = void(int pe, std::uint64_t offset, std::uint64_t value);
  using adder_everywhere = void(std::uint64_t offset);

  late_library()
      : file_(testing::TempDir() + "liblate_" + std::to_string(getpid()) + "_" +
              std::to_string(++copies_) + ".so") {
    std::filesystem::copy_file(ATOLL_LATE_LIBRARY, file_);
  }
  ~late_library() override { std::filesystem::remove(file_); }

  /// Loads the library into the process of this PE, and returns one of its functions.
  template <class Function>
  Function* load(const char* name) const {
    void* const library = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) fail(errc::environment, "{}", dlerror());
    return reinterpret_cast<Function*>(dlsym(library, name));
  }
  adder* load() const { return load<adder>("add_from_library"); }
  adder_everywhere* load_everywhere() const {
    return load<adder_everywhere>("add_everywhere_from_library");
  }

  std::string file_;

 private:
  static inline int copies_ = 0;
};

TEST_P(late_library, is_found_when_the_first_message_for_it_comes) {
  run([this]() -> task<> {
    const auto sums = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
    for (int round = 0; round < 3; ++round) {
      const auto load_it = [this] { load(); };
      co_await on_all_pes(load_it);
      const auto send = [this, sums] {
        adder* const add = load();
        for (int pe = 0; pe < pes(); ++pe)
          add(pe, sums[static_cast<std::uint64_t>(pe)].offset(), 1);
      };
      co_await on_all_pes(send);
    }
    for (std::uint64_t pe = 0; pe < sums.size(); ++pe)
      EXPECT_EQ(co_await read(sums[pe]), 3U * sums.size());
  });
}

TEST_P(late_library, is_named_where_another_pe_has_not_loaded_it) {
  if (GetParam().kind != pe_kind::process) GTEST_SKIP() << "all PEs share what one has loaded";
  const auto send_alone = [this]() -> task<> {
    const auto sums = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
    adder* const add = load();
    const auto last = sums[sums.size() - 1];
    const auto send = [&] { add(last.pe(), last.offset(), 1); };
    co_await finish(send);
    EXPECT_EQ(co_await read(last), 1U);
  };
  if (size() == 1) return run(send_alone);
  try {
    test::status_of(options, send_alone);
    ADD_FAILURE() << "it is not refused";
  } catch (const error& refusal) {
    const std::string wanted =
        "PE " + std::to_string(size() - 1) + " has not loaded " + file_ + ", ";
    EXPECT_EQ(refusal.code(), errc::environment);
    EXPECT_NE(std::string(refusal.what()).find(wanted), std::string::npos) << refusal.what();
  }
}

TEST_P(late_library, has_functions_that_run_on_all_pes) {
  run([this]() -> task<> {
    const auto sums = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
    const auto load_it = [this] { load(); };
    co_await on_all_pes(load_it);
    const auto start = [&] { load_everywhere()(sums[0].offset()); };
    co_await finish(start);
    for (std::uint64_t pe = 0; pe < sums.size(); ++pe) EXPECT_EQ(co_await read(sums[pe]), 1U);
  });
}

TEST_P(late_library, must_be_loaded_on_all_pes_before_its_functions_run_there) {
  if (GetParam().kind != pe_kind::process) GTEST_SKIP() << "all PEs share what one has loaded";
  if (size() == 1) GTEST_SKIP() << "there is no other PE";
  std::string refusal;
  const auto start_alone = [&]() -> task<> {
    const auto sums = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
    const auto start = [&] { load_everywhere()(sums[0].offset()); };
    try {
      co_await finish(start);
    } catch (const error& failure) {
      EXPECT_EQ(failure.code(), errc::environment);
      refusal = failure.what();
    }
  };
  EXPECT_EQ(test::status_of(options, start_alone), 0);
  EXPECT_NE(refusal.find("cannot run a function that is in a shared library"), std::string::npos)
      << refusal;
}

ATOLL_RUN_ON(late_library, 1, 2, 3, 7);

}  // namespace
