#include "cases.h"

#include <string.h>

static const struct {
  const char* name;
  int (*run)(void);
} cases[] = {
    {"contents", contents},         {"c_library", c_library},       {"objects", objects},
    {"peer_of_fork", peer_of_fork}, {"peer_of_exec", peer_of_exec}, {"forked_later", forked_later},
    {"untouched", untouched},       {"scanned", scanned},           {"left_out", left_out},
    {"interrupted", interrupted},   {"refused", refused},
};

int main(int argc, char** argv) {
  if (argc == 5 && strcmp(argv[1], "exec_ed_peer") == 0)
    return exec_ed_peer(atol(argv[2]), atoi(argv[3]), atoi(argv[4]));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    if (argc == 2 && strcmp(argv[1], cases[i].name) == 0) return cases[i].run();
  fprintf(stderr, "no such case\n");
  return 2;
}
