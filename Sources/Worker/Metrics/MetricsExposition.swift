internal import Synchronization

/// The metrics in Prometheus's text format.
struct MetricsExposition {
    private(set) var text = ""

    /// Writes everything that a worker counts.
    init(_ metrics: Metrics, health: [PipelineHealth]) {
        counters(metrics)
        gauges(metrics, health)
        histograms(metrics)
    }

    private mutating func counters(_ metrics: Metrics) {
        family("deeplink_deliveries_total", "counter", "Deliveries from the input queue.")
        let redelivered = metrics.redeliveries.load(ordering: .relaxed)
        let all = metrics.deliveries.load(ordering: .relaxed)
        sample("deeplink_deliveries_total{redelivered=\"false\"}", Double(all &- min(redelivered, all)))
        sample("deeplink_deliveries_total{redelivered=\"true\"}", Double(redelivered))

        family("deeplink_answers_total", "counter", "Confirmed answers.")
        let handled = metrics.handled.load(ordering: .relaxed)
        sample("deeplink_answers_total{handled=\"true\",reason=\"\"}", Double(handled))
        for (index, reason) in Metrics.reasons.enumerated() {
            sample("deeplink_answers_total{handled=\"false\",reason=\"\(reason)\"}", Double(metrics.notHandled(index)))
        }

        family("deeplink_dead_letters_total", "counter", "Requests in the dead-letter queue.")
        for reason in RejectionReason.allCases {
            sample("deeplink_dead_letters_total{reason=\"\(reason.rawValue)\"}", Double(metrics.deadLetters(reason)))
        }

        family("deeplink_settled_total", "counter", "Deliveries that were settled, by outcome.")
        for settlement in Metrics.Settlement.allCases {
            sample(
                "deeplink_settled_total{outcome=\"\(settlement.name)\"}", Double(metrics.settled(settlement)))
        }

        family("deeplink_broker_closes_total", "counter", "Channels and connections that the broker closed, by code.")
        for (index, code) in Metrics.closeCodes.enumerated() {
            let name = code == 0 ? "other" : String(code)
            sample("deeplink_broker_closes_total{code=\"\(name)\"}", Double(metrics.closed(index)))
        }

        family(
            "deeplink_heartbeat_misses_total", "counter", "Connections given up because the broker was silent.")
        sample("deeplink_heartbeat_misses_total", Double(metrics.heartbeatMisses.load(ordering: .relaxed)))

        family("deeplink_reconnects_total", "counter", "Connections to the broker that were opened again.")
        for cause in Metrics.ReconnectCause.allCases {
            sample("deeplink_reconnects_total{cause=\"\(cause.name)\"}", Double(metrics.reconnects(cause)))
        }

        family(
            "deeplink_publish_failures_total", "counter", "Answers and dead letters that were not confirmed at first.")
        for (name, counter) in [
            ("returned", metrics.returned.load(ordering: .relaxed)),
            ("refused", metrics.refused.load(ordering: .relaxed)),
            ("unconfirmed", metrics.unconfirmed.load(ordering: .relaxed)),
        ] {
            sample("deeplink_publish_failures_total{outcome=\"\(name)\"}", Double(counter))
        }

        family("deeplink_configuration_reloads_total", "counter", "How often the configuration was read again.")
        for (name, counter) in [
            ("taken", metrics.reloads.load(ordering: .relaxed)),
            ("refused", metrics.failedReloads.load(ordering: .relaxed)),
        ] {
            sample("deeplink_configuration_reloads_total{outcome=\"\(name)\"}", Double(counter))
        }

        family("deeplink_stale_acks_total", "counter", "Deliveries that were lost before they were acknowledged.")
        sample("deeplink_stale_acks_total", Double(metrics.staleAcks.load(ordering: .relaxed)))
        family("deeplink_stale_confirms_total", "counter", "Confirms that came too late to matter.")
        sample("deeplink_stale_confirms_total", Double(metrics.staleConfirms.load(ordering: .relaxed)))
        family("deeplink_blocked_seconds_total", "counter", "How long the broker has blocked publishing.")
        sample(
            "deeplink_blocked_seconds_total", Double(metrics.blockedNanoseconds.load(ordering: .relaxed)) / 1e9)
    }

    private mutating func gauges(_ metrics: Metrics, _ health: [PipelineHealth]) {
        family("deeplink_configuration_current", "gauge", "Whether the configuration that was read last is in use.")
        sample("deeplink_configuration_current", Double(metrics.isConfigurationCurrent.load(ordering: .relaxed)))
        family("deeplink_in_flight", "gauge", "Deliveries that are not settled.")
        sample("deeplink_in_flight", Double(metrics.inFlight.load(ordering: .relaxed)))
        family("deeplink_held_bytes", "gauge", "The size of the requests that are held.")
        sample("deeplink_held_bytes", Double(metrics.heldBytes.load(ordering: .relaxed)))
        family("deeplink_unconfirmed", "gauge", "Answers and dead letters that are not confirmed yet.")
        sample("deeplink_unconfirmed", Double(metrics.awaitingConfirm.load(ordering: .relaxed)))
        family("deeplink_prefetch", "gauge", "How many deliveries the consumers may have unacknowledged.")
        sample("deeplink_prefetch", Double(metrics.prefetch.load(ordering: .relaxed)))
        family("deeplink_connections", "gauge", "Connections to the broker that are open, by role.")
        sample("deeplink_connections{role=\"consuming\"}", Double(metrics.consuming.load(ordering: .relaxed)))
        sample("deeplink_connections{role=\"publishing\"}", Double(metrics.publishing.load(ordering: .relaxed)))
        family("deeplink_blocked", "gauge", "Publishing connections that the broker blocks.")
        sample("deeplink_blocked", Double(metrics.blocked.load(ordering: .relaxed)))
        family("deeplink_ready_pipelines", "gauge", "Pipelines that are ready.")
        sample("deeplink_ready_pipelines", Double(health.count { $0.unreadyReasons.isEmpty }))
    }

    private mutating func histograms(_ metrics: Metrics) {
        histogram("deeplink_batch_deliveries", "Deliveries that were read at once.", metrics.batchSizes)
        histogram("deeplink_request_seconds", "From a delivery to its settlement.", metrics.latency)
        histogram("deeplink_confirm_seconds", "From a publish to its confirm.", metrics.confirmLatency)
        histogram(
            "deeplink_end_to_end_seconds", "From the request's timestamp, in whole seconds, to its settlement.",
            metrics.age)
        histogram("deeplink_store_seconds", "What the stores take for a batch.", metrics.storeTime)
    }

    private mutating func histogram(_ name: String, _ help: String, _ histogram: borrowing Histogram) {
        family(name, "histogram", help)
        var count: UInt64 = 0
        for bucket in 0..<Histogram.bucketCount {
            count += histogram.count(inBucket: bucket)
            let bound = bucket < 17 ? Self.number(histogram.bounds[bucket]) : "+Inf"
            sample("\(name)_bucket{le=\"\(bound)\"}", Double(count))
        }
        sample("\(name)_sum", histogram.sum)
        sample("\(name)_count", Double(count))
    }

    private mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ value: Double) {
        text += "\(name) \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? value.description
    }
}

extension Worker {
    /// The metrics in Prometheus's text format.
    public var exposition: String { MetricsExposition(metrics, health: health).text }
}
