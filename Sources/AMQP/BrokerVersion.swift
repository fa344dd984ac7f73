internal import CRabbitMQ

/// What the broker says of itself.
public struct BrokerVersion: Sendable, Hashable {
    /// The product, for example `RabbitMQ`.
    public let product: String
    /// The version, for example `3.10.8`; empty where the broker does not say.
    public let text: String
    /// The name of its cluster; empty where it does not say.
    public let clusterName: String

    /// Makes a version.
    public init(product: String, text: String, clusterName: String = "") {
        self.product = product
        self.text = text
        self.clusterName = clusterName
    }

    /// The first number of the version, 0 where there is none.
    public var major: Int { number(0) }
    /// The second number of the version, 0 where there is none.
    public var minor: Int { number(1) }

    private func number(_ index: Int) -> Int {
        let parts = text.split(separator: ".")
        return index < parts.count ? Int(parts[index].prefix { $0.isNumber }) ?? 0 : 0
    }
}

extension Connection {
    /// What the broker said of itself when the connection was opened.
    public var brokerVersion: BrokerVersion {
        guard let table = unsafe amqp_get_server_properties(state) else { return BrokerVersion(product: "", text: "") }
        var texts: [String: String] = [:]
        for index in 0..<Int(unsafe table.pointee.num_entries) {
            let entry = unsafe table.pointee.entries[index]
            guard unsafe entry.value.isText else { continue }
            texts[unsafe entry.key.printableText] = unsafe entry.value.value.bytes.printableText
        }
        return BrokerVersion(
            product: texts["product"] ?? "", text: texts["version"] ?? "", clusterName: texts["cluster_name"] ?? "")
    }
}
