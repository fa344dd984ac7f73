import CLibFuzzer
import Glibc

/// The program: `fuzz TARGET [libFuzzer's arguments] [CORPUS ...]`.
///
/// A target must take any bytes without a crash, and check what must hold of what it made of them.
@main
enum Fuzz {
    static func main() {
        let arguments = CommandLine.arguments
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        guard arguments.count > 1, let target = FuzzTarget(rawValue: arguments[1]) else {
            print("usage: fuzz TARGET [-runs=N] [CORPUS ...]; the targets are: \(names)")
            exit(64)
        }
        // The callback takes no context, so that each target has a function of its own.
        switch target {
        case .activity: unsafe drive { unsafe FuzzTarget.call(.activity, $0, $1) }
        case .amqpURI: unsafe drive { unsafe FuzzTarget.call(.amqpURI, $0, $1) }
        case .apps: unsafe drive { unsafe FuzzTarget.call(.apps, $0, $1) }
        case .association: unsafe drive { unsafe FuzzTarget.call(.association, $0, $1) }
        case .cloudEvent: unsafe drive { unsafe FuzzTarget.call(.cloudEvent, $0, $1) }
        case .configuration: unsafe drive { unsafe FuzzTarget.call(.configuration, $0, $1) }
        case .frames: unsafe drive { unsafe FuzzTarget.call(.frames, $0, $1) }
        case .items: unsafe drive { unsafe FuzzTarget.call(.items, $0, $1) }
        case .modelArchive: unsafe drive { unsafe FuzzTarget.call(.modelArchive, $0, $1) }
        case .objectURI: unsafe drive { unsafe FuzzTarget.call(.objectURI, $0, $1) }
        case .predicate: unsafe drive { unsafe FuzzTarget.call(.predicate, $0, $1) }
        case .storeFile: unsafe drive { unsafe FuzzTarget.call(.storeFile, $0, $1) }
        case .xmlModel: unsafe drive { unsafe FuzzTarget.call(.xmlModel, $0, $1) }
        }
    }

    private static func drive(_ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32) {
        // libFuzzer must not take the target's name for a corpus.
        var count = CommandLine.argc - 1
        unsafe CommandLine.unsafeArgv[1] = CommandLine.unsafeArgv[0]
        var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv + 1
        exit(unsafe LLVMFuzzerRunDriver(&count, &values, callback))
    }
}
