// Old programs include shmem.h under the name mpp/shmem.h.
#include "../shmem.h"
