/// What can be fuzzed.
enum FuzzTarget: String, CaseIterable {
    /// A message body as an activity.
    case activity
    /// The URL of a broker.
    case amqpURI = "amqp-uri"
    /// A configuration with the files that it names.
    case apps
    /// A domain's association file, and a URL that is judged by it.
    case association
    /// A message body as a CloudEvent with an activity.
    case cloudEvent = "cloud-event"
    /// A configuration file.
    case configuration
    /// What a broker sends, frame by frame, with its field tables.
    case frames
    /// A message with changes to a catalog.
    case items
    /// The data model within a store: a property list with references, deflated or not.
    case modelArchive = "model-archive"
    /// The URI of an object.
    case objectURI = "object-uri"
    /// A predicate.
    case predicate
    /// A whole store.
    case storeFile = "store-file"
    /// A data model as Xcode keeps it.
    case xmlModel = "xml-model"

    /// No input may take longer, on whatever machine this runs.
    private static let timeMax: Duration = .seconds(10)

    static func call(_ target: FuzzTarget, _ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
        let began = ContinuousClock.now
        target.take(bytes)
        precondition(ContinuousClock.now - began < timeMax, "an input takes bounded time")
        return 0
    }

    private func take(_ bytes: [UInt8]) {
        switch self {
        case .activity: ActivityBytes.take(bytes)
        case .amqpURI: BrokerBytes.takeURI(bytes)
        case .apps: ConfigurationBytes.takeSet(bytes)
        case .association: ConfigurationBytes.takeAssociation(bytes)
        case .cloudEvent: ActivityBytes.takeEvent(bytes)
        case .configuration: ConfigurationBytes.take(bytes)
        case .frames: BrokerBytes.takeFrames(bytes)
        case .items: ItemBytes.take(bytes)
        case .modelArchive: StoreBytes.takeArchive(bytes)
        case .objectURI: StoreBytes.takeURI(bytes)
        case .predicate: ConfigurationBytes.takePredicate(bytes)
        case .storeFile: StoreBytes.takeFile(bytes)
        case .xmlModel: StoreBytes.takeXML(bytes)
        }
    }
}
