// The place of the header before OpenSHMEM.
#include "../shmem.h"
