#include "atoll/event.hpp"

#include "atoll/event/table.hpp"

namespace atl {

event merge_events(std::span<const event> inputs, site where) {
  return events::table::here().merge(events::use::all, inputs, where);
}

event any_of_events(std::span<const event> inputs, site where) {
  return events::table::here().merge(events::use::any, inputs, where);
}

event ignore_faults(std::span<const event> inputs, site where) {
  return events::table::here().merge(events::use::settled, inputs, where);
}

}  // namespace atl
