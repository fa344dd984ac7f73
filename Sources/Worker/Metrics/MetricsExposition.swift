internal import Synchronization

/// The metrics in Prometheus's text format.
struct MetricsExposition {
    private(set) var text = ""
    private let requests: Metrics
    private let items: Metrics

    /// Writes everything that a worker counts; what requests and items have in common is added up.
    init(requests: Metrics, items: Metrics, health: [PipelineHealth], takesItems: Bool) {
        self.requests = requests
        self.items = items
        counters(requests)
        gauges(requests, health)
        histograms(requests)
        if takesItems { writeItems() }
    }

    /// A counter of requests and items together.
    private func total(_ count: (Metrics) -> UInt64) -> Double { Double(count(requests) + count(items)) }

    /// A gauge of requests and items together.
    private func sum(_ gauge: (Metrics) -> Int) -> Double { Double(gauge(requests) + gauge(items)) }

    private mutating func writeItems() {
        family("deeplink_item_deliveries_total", "counter", "Deliveries from the item queue.")
        let redelivered = items.redeliveries.load(ordering: .relaxed)
        let all = items.deliveries.load(ordering: .relaxed)
        sample("deeplink_item_deliveries_total{redelivered=\"false\"}", Double(all &- min(redelivered, all)))
        sample("deeplink_item_deliveries_total{redelivered=\"true\"}", Double(redelivered))
        family("deeplink_item_operations_total", "counter", "Committed item operations.")
        sample(
            "deeplink_item_operations_total{outcome=\"applied\"}",
            Double(items.itemOperations.load(ordering: .relaxed)))
        sample(
            "deeplink_item_operations_total{outcome=\"superseded\"}",
            Double(items.supersededOperations.load(ordering: .relaxed)))
        histogram("deeplink_item_seconds", "From a delivery of items to its settlement.", items.latency)
        histogram("deeplink_item_store_seconds", "What the catalog takes for a batch of items.", items.storeTime)
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
            sample("deeplink_dead_letters_total{reason=\"\(reason.rawValue)\"}", total { $0.deadLetters(reason) })
        }

        family("deeplink_settled_total", "counter", "Deliveries that were settled, by outcome.")
        for settlement in Metrics.Settlement.allCases {
            sample(
                "deeplink_settled_total{outcome=\"\(settlement.name)\"}", Double(metrics.settled(settlement)))
        }

        family("deeplink_broker_closes_total", "counter", "Channels and connections that the broker closed, by code.")
        for (index, code) in Metrics.closeCodes.enumerated() {
            let name = code == 0 ? "other" : String(code)
            sample("deeplink_broker_closes_total{code=\"\(name)\"}", total { $0.closed(index) })
        }

        family(
            "deeplink_heartbeat_misses_total", "counter", "Connections given up because the broker was silent.")
        sample("deeplink_heartbeat_misses_total", total { $0.heartbeatMisses.load(ordering: .relaxed) })

        family("deeplink_reconnects_total", "counter", "Connections to the broker that were opened again.")
        for cause in Metrics.ReconnectCause.allCases {
            sample("deeplink_reconnects_total{cause=\"\(cause.name)\"}", total { $0.reconnects(cause) })
        }

        family(
            "deeplink_publish_failures_total", "counter", "Answers and dead letters that were not confirmed at first.")
        for (name, counter) in [
            ("returned", total { $0.returned.load(ordering: .relaxed) }),
            ("refused", total { $0.refused.load(ordering: .relaxed) }),
            ("unconfirmed", total { $0.unconfirmed.load(ordering: .relaxed) }),
        ] {
            sample("deeplink_publish_failures_total{outcome=\"\(name)\"}", counter)
        }

        family("deeplink_configuration_reloads_total", "counter", "How often the configuration was read again.")
        for (name, counter) in [
            ("taken", metrics.reloads.load(ordering: .relaxed)),
            ("refused", metrics.failedReloads.load(ordering: .relaxed)),
        ] {
            sample("deeplink_configuration_reloads_total{outcome=\"\(name)\"}", Double(counter))
        }

        family("deeplink_store_outages_total", "counter", "How often a store became unavailable for a pipeline.")
        sample("deeplink_store_outages_total", total { $0.storeOutages.load(ordering: .relaxed) })
        family("deeplink_stale_acks_total", "counter", "Deliveries that were lost before they were acknowledged.")
        sample("deeplink_stale_acks_total", total { $0.staleAcks.load(ordering: .relaxed) })
        family("deeplink_stale_confirms_total", "counter", "Confirms that came too late to matter.")
        sample("deeplink_stale_confirms_total", total { $0.staleConfirms.load(ordering: .relaxed) })
        family("deeplink_blocked_seconds_total", "counter", "How long the broker has blocked publishing.")
        sample(
            "deeplink_blocked_seconds_total", total { $0.blockedNanoseconds.load(ordering: .relaxed) } / 1e9)
    }

    private mutating func gauges(_ metrics: Metrics, _ health: [PipelineHealth]) {
        family("deeplink_configuration_current", "gauge", "Whether the configuration that was read last is in use.")
        sample("deeplink_configuration_current", Double(metrics.isConfigurationCurrent.load(ordering: .relaxed)))
        family("deeplink_in_flight", "gauge", "Deliveries that are not settled.")
        sample("deeplink_in_flight", sum { $0.inFlight.load(ordering: .relaxed) })
        family("deeplink_held_bytes", "gauge", "The size of the requests that are held.")
        sample("deeplink_held_bytes", sum { $0.heldBytes.load(ordering: .relaxed) })
        family("deeplink_unconfirmed", "gauge", "Answers and dead letters that are not confirmed yet.")
        sample("deeplink_unconfirmed", sum { $0.awaitingConfirm.load(ordering: .relaxed) })
        family("deeplink_prefetch", "gauge", "How many deliveries the consumers may have unacknowledged.")
        sample("deeplink_prefetch", sum { $0.prefetch.load(ordering: .relaxed) })
        family("deeplink_connections", "gauge", "Connections to the broker that are open, by role.")
        sample("deeplink_connections{role=\"consuming\"}", sum { $0.consuming.load(ordering: .relaxed) })
        sample("deeplink_connections{role=\"publishing\"}", sum { $0.publishing.load(ordering: .relaxed) })
        family("deeplink_blocked", "gauge", "Publishing connections that the broker blocks.")
        sample("deeplink_blocked", sum { $0.blocked.load(ordering: .relaxed) })
        family("deeplink_ready_pipelines", "gauge", "Pipelines that are ready.")
        let unready = health.map(\.unreadyReasons)
        sample("deeplink_ready_pipelines", Double(unready.count(where: \.isEmpty)))
        family("deeplink_unready_pipelines", "gauge", "Pipelines that are not ready, by reason.")
        for reason in UnreadyReason.allCases {
            sample(
                "deeplink_unready_pipelines{reason=\"\(reason.name)\"}", Double(unready.count { $0.contains(reason) }))
        }
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
    public var exposition: String {
        MetricsExposition(requests: metrics, items: itemMetrics, health: health, takesItems: takesItems).text
    }
}
