// Programs from before OpenSHMEM include the header under this name.
#include "../shmem.h"
