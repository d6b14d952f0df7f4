#pragma once
// One-sided access to symmetric memory, as OpenSHMEM 1.5 has it: atl::one_sided.

#include "atoll/one_sided.hpp"
#include "atoll/symmetric_array.hpp"
#include "atoll/symmetric_collectives.hpp"
