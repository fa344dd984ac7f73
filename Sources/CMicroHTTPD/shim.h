#include <microhttpd.h>
#include <sys/socket.h>

// MHD_start_daemon is variadic, which Swift cannot call: one polling thread, an address, bounded connections.
static inline struct MHD_Daemon *cmicrohttpd_start(
    const struct sockaddr *address, MHD_AccessHandlerCallback handler, void *context,
    unsigned connection_count_max, unsigned idle_seconds_max) {
    const unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO |
                           (address->sa_family == AF_INET6 ? (unsigned)MHD_USE_IPv6 : 0u);
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, context, MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_CONNECTION_LIMIT,
        connection_count_max, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds_max, MHD_OPTION_END);
}

// The port that the daemon listens on, also where it was asked for any (0).
static inline unsigned cmicrohttpd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}
