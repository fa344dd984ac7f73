import TestSupport
import Testing

/// Every fault that this machine can make, against a real broker and the worker in a process of its own.
///
/// The tests run one after another, and nothing else may run beside them: some disturb every connection of the broker.
/// The numbers are those of the table in Documentation/Reliability.md.
@Suite(.serialized, .enabled(if: FaultRun.isOn, Comment(rawValue: FaultRun.absence)))
struct FaultTests {}
