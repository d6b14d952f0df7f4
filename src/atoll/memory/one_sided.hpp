#pragma once
// One-sided access to symmetric memory, as OpenSHMEM 1.5 has it: atl::one_sided.

#include "atoll/memory/one_sided_atomics.hpp"
#include "atoll/memory/one_sided_order.hpp"
#include "atoll/memory/one_sided_put.hpp"
#include "atoll/memory/one_sided_signal.hpp"
#include "atoll/memory/one_sided_wait.hpp"
#include "atoll/memory/symmetric_array.hpp"
#include "atoll/memory/symmetric_collectives.hpp"
