#include "atoll/region/instance_table.hpp"

#include "atoll/error.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/pe.hpp"
#include "atoll/transport/transport.hpp"

namespace atl::regions {

instance_table::instance_table(pe& self) : held_(*self.account) {}

instance_table& instance_table::make_here() {
  pe& self = this_pe();
  const auto made = std::make_shared<instance_table>(self);
  self.memory->keep(made);
  self.instances = made.get();
  return *made;
}

void instance_table::make(events::name instance, std::uint64_t bytes) {
  held made;
  made.own = own_memory(bytes);
  made.memory = made.own.data();
  held_.emplace(instance.word(), std::move(made));
}

void instance_table::admit(events::name instance, std::uint64_t offset) {
  held admitted;
  admitted.memory = this_pe().memory->local(offset);
  admitted.offset = offset;
  held_.emplace(instance.word(), std::move(admitted));
}

const instance_table::held& instance_table::find(events::name instance, site where) const {
  const auto found = held_.find(instance.word());
  if (found != held_.end()) [[likely]]
    return found->second;
  fail(errc::input,
       "{}: PE {} has no such region instance: it is not made yet, and whoever uses it waits for "
       "its event, or it has been destroyed",
       to_string(where), my_pe());
}

void instance_table::remove(events::name instance, site where) {
  find(instance, where);
  held_.erase(instance.word());
}

std::uint64_t instance_table::offset_of(events::name instance, site where) const {
  return find(instance, where).offset;
}

std::byte* instance_table::memory_of(events::name instance, int pe, site where) const {
  const held& found = find(instance, where);
  if (found.failure) std::rethrow_exception(found.failure);
  if (pe == my_pe()) return found.memory;
  return this_pe().transport->segment(pe) + (found.offset - memory::k_symmetric);
}

void instance_table::poison(events::name instance, const std::exception_ptr& failure) {
  const auto found = held_.find(instance.word());
  if (found != held_.end() && !found->second.failure) found->second.failure = failure;
}

}  // namespace atl::regions
