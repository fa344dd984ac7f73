#include <libpq-fe.h>
#include <sys/eventfd.h>

/// The flags of an `eventfd`, which are an enumeration that Swift cannot use.
static const int cpostgresql_wakeup_flags = EFD_CLOEXEC | EFD_NONBLOCK;
