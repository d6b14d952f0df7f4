#include "atoll/collectives.hpp"

#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/memory/collective_state.hpp"
#include "atoll/transport/site_word.hpp"

#include <algorithm>

namespace atl::memory {

void end_job(const std::exception_ptr& failure) {
  log::write(log_level::error, describe(failure));
  this_pe().transport->fail(exit_status_of(failure));
}

named_task::named_task(std::vector<collective_state::task_of_call>& among, const caller& of)
    : among_(&among), task_(this_pe().tasks->current()) {
  among.push_back({task_, of});
}

named_task::~named_task() {
  among_->erase(std::ranges::find(*among_, task_, &collective_state::task_of_call::task));
}

named_call::named_call(const call_of_one& call, site where) {
  const pe& self = pe_of_job(call.name, where);
  collective_state& all = *self.collectives;
  if (all.caller_of(self.tasks->current()).call != 0) return;
  const auto name = self.modules->name_of(reinterpret_cast<std::uintptr_t>(&call));
  const auto line = transport::site_word(*self.modules, where);
  task_.emplace(all.calls, caller{name, line, self.rank, ++all.calls_begun});
}

begun_call call_here(site where) {
  const pe& self = pe_of_job("together", where);
  collective_state& all = *self.collectives;
  const caller named = all.caller_of(self.tasks->current());
  if (named.call != 0) return {named, all.next_number};
  const auto line = transport::site_word(*self.modules, where);
  return {{0, line, self.rank, ++all.calls_begun}, all.next_number};
}

task<> ending_the_job(task<> (*begin)(const void* body), const void* body, begun_call call) {
  std::exception_ptr failure;
  try {
    collective_state& all = *this_pe().collectives;
    all.check_begin(call);
    const named_task mine(all.parts, call.of);
    co_await begin(body);
  } catch (const transport::job_ended&) {
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) end_job(failure);
}

}  // namespace atl::memory
