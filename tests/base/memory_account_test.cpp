#include "atoll/base/memory_account.hpp"

#include "atoll/error.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

using namespace atl;

constexpr std::size_t k_mebibyte = std::size_t{1} << 20;

bool is_granted_container(memory_account& account, std::size_t bytes) {
  try {
    account.charge_data(bytes);
    return true;
  } catch (const error& failure) {
    EXPECT_EQ(failure.code(), errc::out_of_memory);
    return false;
  }
}

TEST(memory_account, containers_fill_the_share_and_leave_tasks_the_least) {
  memory_account account(12 * k_mebibyte, 2);
  EXPECT_TRUE(is_granted_container(account, 6 * k_mebibyte));
  EXPECT_FALSE(is_granted_container(account, 1));
  EXPECT_EQ(account.held(), 6 * k_mebibyte);
  EXPECT_NO_THROW(account.charge(4 * k_mebibyte));
  EXPECT_THROW(account.charge(1), error);
  account.release(4 * k_mebibyte);
  account.release_data(k_mebibyte);
  EXPECT_TRUE(is_granted_container(account, k_mebibyte));
}

TEST(memory_account, containers_share_with_arrays_and_tasks) {
  memory_account account(8 * k_mebibyte, 1);
  account.add_array(3 * k_mebibyte);
  account.charge(3 * k_mebibyte);
  EXPECT_FALSE(is_granted_container(account, 3 * k_mebibyte));
  EXPECT_TRUE(is_granted_container(account, 2 * k_mebibyte));
}

TEST(memory_account, a_share_of_work_alone_limits_tasks_and_no_data) {
  auto account = memory_account::of_work_alone(6 * k_mebibyte);
  EXPECT_TRUE(is_granted_container(account, 1000 * k_mebibyte));
  account.add_array(1000 * k_mebibyte);
  EXPECT_NO_THROW(account.charge(6 * k_mebibyte));
  EXPECT_TRUE(account.has_much_work());
  EXPECT_FALSE(account.is_exceeded());
  try {
    account.charge(1);
    ADD_FAILURE() << "tasks beyond the share were not refused";
  } catch (const error& failure) {
    EXPECT_EQ(failure.code(), errc::out_of_memory);
    EXPECT_NE(std::string(failure.what()).find("set --memory-limit"), std::string::npos);
  }
}

TEST(memory_account, without_a_limit_nothing_is_refused) {
  memory_account account;
  EXPECT_TRUE(is_granted_container(account, 1000 * k_mebibyte));
  EXPECT_NO_THROW(account.charge(1000 * k_mebibyte));
}

}  // namespace
