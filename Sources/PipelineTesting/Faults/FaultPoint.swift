/// A kind of fault that a test injects.
///
/// The constants are those of the standard workload. An application may add its own.
public struct FaultPoint: RawRepresentable, Hashable, Sendable, Codable {
    /// The name of the fault point.
    public let rawValue: String

    /// Creates a fault point from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A node provider throws.
    public static let providerThrows = FaultPoint(rawValue: "providerThrows")
    /// A measurement throws.
    public static let measurementThrows = FaultPoint(rawValue: "measurementThrows")
    /// A layout throws.
    public static let layoutThrows = FaultPoint(rawValue: "layoutThrows")
    /// A callback of the pipeline takes a long time, and other steps run in the meantime.
    public static let callTakesLong = FaultPoint(rawValue: "callTakesLong")
    /// The view is busy for a turn.
    public static let viewIsBusy = FaultPoint(rawValue: "viewIsBusy")
    /// The view stops processing one update, or all updates, until all other work has finished.
    /// This happens at most once in a run.
    public static let viewStalls = FaultPoint(rawValue: "viewStalls")
    /// The view refuses an update.
    public static let viewRefuses = FaultPoint(rawValue: "viewRefuses")
    /// The view loses an update.
    public static let viewDropsUpdate = FaultPoint(rawValue: "viewDropsUpdate")
    /// The view loses an update that is queued after others, which it keeps.
    public static let viewDropsLater = FaultPoint(rawValue: "viewDropsLater")
    /// The view is released.
    public static let viewGoesAway = FaultPoint(rawValue: "viewGoesAway")
    /// A completion submits another change.
    public static let callbackSubmits = FaultPoint(rawValue: "callbackSubmits")
    /// The controller is released without being closed, together with its data source.
    public static let controllerGoesAway = FaultPoint(rawValue: "controllerGoesAway")
    /// A task that submitted something is cancelled.
    public static let taskIsCancelled = FaultPoint(rawValue: "taskIsCancelled")
    /// The controller is closed while updates are in flight.
    public static let closes = FaultPoint(rawValue: "closes")
    /// The observer is slow.
    public static let observerIsSlow = FaultPoint(rawValue: "observerIsSlow")
    /// The clock jumps forward.
    public static let clockJumps = FaultPoint(rawValue: "clockJumps")
    /// An updates closure throws.
    public static let updatesThrow = FaultPoint(rawValue: "updatesThrow")
    /// The change to the model differs from the recorded edits.
    public static let modelLies = FaultPoint(rawValue: "modelLies")

    /// All fault points of the standard workload.
    public static let all: [FaultPoint] = [
        .providerThrows, .measurementThrows, .viewIsBusy, .viewRefuses, .viewDropsUpdate,
        .viewDropsLater, .viewGoesAway, .callbackSubmits, .closes, .observerIsSlow, .clockJumps,
        .updatesThrow, .modelLies, .layoutThrows, .callTakesLong, .controllerGoesAway,
        .taskIsCancelled, .viewStalls,
    ]

    /// The fault rates for a ``FaultyView``, high enough for short tests.
    public static let viewRates: [FaultPoint: Double] = [
        .viewIsBusy: 0.3, .viewStalls: 0.02, .viewRefuses: 0.1, .viewDropsUpdate: 0.05,
        .viewDropsLater: 0.05, .callTakesLong: 0.1,
    ]
}

/// Decides which faults happen in a run, and how long callbacks take.
package protocol FaultInjector: Sendable {
    /// Returns whether a fault happens now. Callable from any thread.
    func happens(_ fault: FaultPoint) -> Bool

    /// Called by every callback of the pipeline. Takes some time, or lets other steps run.
    func pause()
}

/// The error that is thrown to inject a fault.
package struct InjectedFault: Error {
    package init() {}
}

extension Simulation: FaultInjector {
    package func pause() {
        if happens(.callTakesLong) { yield() }
    }
}
