// This is the place of the header before OpenSHMEM.
#include "../shmem.h"
