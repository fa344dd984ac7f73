#include <sqlite3.h>

// A value is copied when it is bound, so that no memory must outlive the call. (The macro for it is a cast that Swift
// cannot import.)

static inline int csqlite_bind_text(sqlite3_stmt *statement, int parameter, const char *text, int count) {
    return sqlite3_bind_text(statement, parameter, text, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int parameter, const void *bytes, int count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, parameter, 0)
                      : sqlite3_bind_blob(statement, parameter, bytes, count, SQLITE_TRANSIENT);
}
