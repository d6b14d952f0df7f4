#pragma once
// Operations that are not to begin any more.

#include "atoll/event/event.hpp"
#include "atoll/task/task.hpp"

namespace atl {

/// Withdraws the operation that has given this event, as long as what it depends on has not
/// triggered: then it never begins, its memory is given back, and its event fails with an
/// atl::error (withdrawn) that names the place where it was asked for and this one. That may be a
/// `spawn_when`, `copy_when` or `fill_when`; a user event after `trigger_when`; the acquisition of
/// a reservation that is not held yet, or a release that waits for its precondition. On any PE.
///
/// `co_await withdraw(e)` is true if this call has withdrawn it, and false where it may begin, has
/// begun, has ended or was withdrawn by another call: it either runs or is withdrawn. Takes a
/// message or two to the PEs that have made and that hold it, and time by the number of those who
/// wait for the same precondition. Throws atl::error (input) where the event is not that of an
/// operation; overflow.
task<bool> withdraw(event result, site where = site::current());

}  // namespace atl
