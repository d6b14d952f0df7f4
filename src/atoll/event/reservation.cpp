#include "atoll/event.hpp"

#include "atoll/delegates.hpp"
#include "atoll/event/lock_table.hpp"
#include "atoll/event/try_acquire.hpp"

#include <algorithm>

namespace atl {

using events::lock_table;

void lock_mode::refuse_number(site where) {
  fail(errc::input, "{}: the number of a shared mode is below {}", to_string(where), UINT32_MAX);
}

event reservation::acquire(event precondition, lock_mode mode, site where) const {
  return lock_table::here().acquire(name_, precondition, mode.word(), where);
}

task<bool> reservation::try_acquire(lock_mode mode, site where) const {
  return events::try_acquire(name_, mode.word(), where);
}

event reservation::release(event precondition, event held, site where) const {
  return lock_table::here().release(name_, precondition, held, where);
}

void reservation::destroy(event precondition, site where) const {
  const auto at_home = [of = name_, precondition, from = transport::travelling_site(where)] {
    lock_table::here().destroy(of, precondition, from);
  };
  if (pe() == my_pe()) return at_home();
  lock_table::here().check_job(name_, where);
  async_call(pe(), at_home, where);
}

reservation make_reservation(site where) { return reservation(lock_table::here().make(where)); }

void reservation_statistics::add(const reservation_statistics& other) {
  grants += other.grants;
  migrations += other.migrations;
  leases += other.leases;
  most_overtaken = std::max(most_overtaken, other.most_overtaken);
}

reservation_statistics local_reservation_statistics() { return lock_table::here().statistics(); }

}  // namespace atl
