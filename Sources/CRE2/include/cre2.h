// A C face of the part of RE2 that the worker uses: compiling a pattern, and matching a whole text with its groups.
//
// RE2 matches in time linear in the text whatever the pattern, and needs no more memory than it is given.
#ifndef CRE2_H
#define CRE2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled pattern; for any number of threads.
typedef struct cre2_pattern cre2_pattern;

/// The bytes of a group in the text; both are -1 for a group that took no part.
typedef struct {
    ptrdiff_t start;
    ptrdiff_t end;
} cre2_range;

/// Why a pattern is not compiled: words, and the part of the pattern that is meant. Both end with a NUL.
typedef struct {
    char message[128];
    char part[128];
} cre2_error;

/// Compiles a pattern of `count` bytes, one character a byte, whose program and caches may take `memory_max` bytes.
/// Returns NULL and fills in `error` where it cannot.
cre2_pattern *cre2_compile(const char *pattern, size_t count, int64_t memory_max, cre2_error *error);
void cre2_free(cre2_pattern *pattern);

/// How many capturing groups the pattern has.
size_t cre2_group_count(const cre2_pattern *pattern);

/// Whether the pattern matches the whole text; `groups`, one for each capturing group, are filled in where it does.
bool cre2_match(const cre2_pattern *pattern, const char *text, size_t count, cre2_range *groups);

#ifdef __cplusplus
}
#endif

#endif
