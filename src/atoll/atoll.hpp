#pragma once
// Everything a program on Atoll uses.

#include "atoll/base/random.hpp"
#include "atoll/memory/bulk.hpp"
#include "atoll/memory/collectives.hpp"
#include "atoll/memory/delegates.hpp"
#include "atoll/memory/global_array.hpp"
#include "atoll/memory/loops.hpp"
#include "atoll/memory/per_pe.hpp"
#include "atoll/memory/run.hpp"
#include "atoll/task/awaitables.hpp"
#include "atoll/task/scope.hpp"
#include "atoll/task/stealable_loop.hpp"
