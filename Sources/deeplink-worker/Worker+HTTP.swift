import HealthServer
import Worker

extension Worker {
    /// Which program this is.
    private static let build = """
        # HELP deeplink_build_info Which program this is; always 1.
        # TYPE deeplink_build_info gauge
        deeplink_build_info{version="\(Versions.program)"} 1

        """

    /// Answers the requests of operators and of Prometheus.
    @Sendable func respond(to path: String) -> HealthResponse? {
        switch path {
        case "/metrics":
            return HealthResponse(
                contentType: "text/plain; version=0.0.4; charset=utf-8",
                body: Self.build + exposition + ProcessMetrics.exposition)
        case "/livez":
            return HealthResponse(
                status: isLive ? 200 : 503, body: isLive ? "ok\n" : "a pipeline's loop does not turn\n")
        case "/readyz":
            let reasons = unreadyReasons
            guard !reasons.isEmpty else { return HealthResponse(body: "ok\n") }
            return HealthResponse(status: 503, body: reasons.map { $0.text + "\n" }.joined())
        default: return nil
        }
    }
}
