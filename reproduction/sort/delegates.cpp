#include "reproduction/sort/delegates.hpp"

ATOLL_SORT_BY_DELEGATES()
