#include <stddef.h>
#include <stdint.h>

// libFuzzer's door for programs that have a main of their own.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test_one_input)(const uint8_t *data, size_t size));
