// The place of the header before OpenSHMEM.
#include "../shmemx.h"
