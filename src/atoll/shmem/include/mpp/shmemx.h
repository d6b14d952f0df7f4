// Old programs include shmemx.h under the name mpp/shmemx.h.
#include "../shmemx.h"
