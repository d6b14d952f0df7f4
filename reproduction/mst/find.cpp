#include "reproduction/mst/find.hpp"

ATOLL_MST_WAYS()
