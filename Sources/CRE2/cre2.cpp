#include "cre2.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <vector>

struct cre2_pattern {
    re2::RE2 regexp;
};

static void copy(const std::string &from, char (&to)[128]) {
    const size_t count = std::min(from.size(), sizeof to - 1);
    std::memcpy(to, from.data(), count);
    to[count] = 0;
}

cre2_pattern *cre2_compile(const char *pattern, size_t count, int64_t memory_max, cre2_error *error) {
    re2::RE2::Options options(re2::RE2::Latin1);
    options.set_log_errors(false);
    options.set_max_mem(memory_max);
    try {
        auto *compiled = new cre2_pattern{{re2::StringPiece(pattern, count), options}};
        if (compiled->regexp.ok()) return compiled;
        copy(compiled->regexp.error(), error->message);
        copy(compiled->regexp.error_arg(), error->part);
        delete compiled;
    } catch (const std::bad_alloc &) {
        copy("out of memory", error->message);
        copy("", error->part);
    }
    return nullptr;
}

void cre2_free(cre2_pattern *pattern) { delete pattern; }

size_t cre2_group_count(const cre2_pattern *pattern) { return size_t(pattern->regexp.NumberOfCapturingGroups()); }

bool cre2_match(const cre2_pattern *pattern, const char *text, size_t count, cre2_range *groups) {
    const int wanted = pattern->regexp.NumberOfCapturingGroups() + 1;
    try {
        std::vector<re2::StringPiece> found(static_cast<size_t>(wanted));
        if (!pattern->regexp.Match(re2::StringPiece(text, count), 0, count, re2::RE2::ANCHOR_BOTH, found.data(), wanted))
            return false;
        for (int group = 1; group < wanted; group++) {
            const re2::StringPiece &piece = found[size_t(group)];
            if (piece.data() == nullptr) {
                groups[group - 1] = {-1, -1};
            } else {
                groups[group - 1] = {piece.data() - text, piece.data() - text + ptrdiff_t(piece.size())};
            }
        }
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
}
