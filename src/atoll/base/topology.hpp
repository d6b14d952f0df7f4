#pragma once
// The processor as far as this process may use it.

#include <string>
#include <vector>

namespace atl {

struct topology {
  /// Physical cores this process may run on: those of its affinity mask, not more than a processor
  /// quota of the control group allows, at least 1. The default number of PEs.
  unsigned cores = 1;

  /// Physical cores of its affinity mask, whatever the quota.
  unsigned affinity_cores = 1;

  /// Hardware threads in the order to pin PEs to them: the first of every core, then the second of
  /// every core. Numbers as in sched_setaffinity.
  std::vector<int> pin_order;

  /// "AMD EPYC 9354"; "unknown processor" where the system does not say.
  std::string cpu_model;
};

/// Looks it up; takes some milliseconds, so do it once. Throws `error` (environment).
topology read_topology();

}  // namespace atl
