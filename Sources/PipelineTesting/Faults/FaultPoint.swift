/// A place where a run may go wrong on purpose.
///
/// The names are those of the stock workload; an application may add its own.
public struct FaultPoint: RawRepresentable, Hashable, Sendable, Codable {
    /// The name.
    public let rawValue: String

    /// Makes a fault point from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A node provider throws.
    public static let providerThrows = FaultPoint(rawValue: "providerThrows")
    /// A measurement throws.
    public static let measurementThrows = FaultPoint(rawValue: "measurementThrows")
    /// A layout throws.
    public static let layoutThrows = FaultPoint(rawValue: "layoutThrows")
    /// What the pipeline calls takes long, and others run meanwhile.
    public static let callTakesLong = FaultPoint(rawValue: "callTakesLong")
    /// The view is busy for a turn.
    public static let viewIsBusy = FaultPoint(rawValue: "viewIsBusy")
    /// The view does nothing more with an update, or with any, until everything else is at rest; once in a run.
    public static let viewStalls = FaultPoint(rawValue: "viewStalls")
    /// The view refuses an update.
    public static let viewRefuses = FaultPoint(rawValue: "viewRefuses")
    /// The view loses an update.
    public static let viewDropsUpdate = FaultPoint(rawValue: "viewDropsUpdate")
    /// The view loses an update that is behind others which it still has.
    public static let viewDropsLater = FaultPoint(rawValue: "viewDropsLater")
    /// The view goes away.
    public static let viewGoesAway = FaultPoint(rawValue: "viewGoesAway")
    /// A completion submits again.
    public static let callbackSubmits = FaultPoint(rawValue: "callbackSubmits")
    /// The controller goes away without being closed, and with it the data source.
    public static let controllerGoesAway = FaultPoint(rawValue: "controllerGoesAway")
    /// A task that submitted something is cancelled.
    public static let taskIsCancelled = FaultPoint(rawValue: "taskIsCancelled")
    /// The controller is closed in mid-flight.
    public static let closes = FaultPoint(rawValue: "closes")
    /// The observer takes its time.
    public static let observerIsSlow = FaultPoint(rawValue: "observerIsSlow")
    /// The clock jumps ahead.
    public static let clockJumps = FaultPoint(rawValue: "clockJumps")
    /// An updates closure throws.
    public static let updatesThrow = FaultPoint(rawValue: "updatesThrow")
    /// The model changes otherwise than is recorded.
    public static let modelLies = FaultPoint(rawValue: "modelLies")

    /// All of them.
    public static let all: [FaultPoint] = [
        .providerThrows, .measurementThrows, .viewIsBusy, .viewRefuses, .viewDropsUpdate,
        .viewDropsLater, .viewGoesAway, .callbackSubmits, .closes, .observerIsSlow, .clockJumps,
        .updatesThrow, .modelLies, .layoutThrows, .callTakesLong, .controllerGoesAway,
        .taskIsCancelled, .viewStalls,
    ]

    /// What may go wrong with a view, often enough for short tests: the rates of a ``FaultyView``.
    public static let viewRates: [FaultPoint: Double] = [
        .viewIsBusy: 0.3, .viewStalls: 0.02, .viewRefuses: 0.1, .viewDropsUpdate: 0.05,
        .viewDropsLater: 0.05, .callTakesLong: 0.1,
    ]
}

/// Decides what goes wrong in a run, and how long things take.
package protocol WorkloadFates: Sendable {
    /// Whether a fault happens now; from any thread.
    func happens(_ fault: FaultPoint) -> Bool

    /// Called by everything that a pipeline calls: takes a moment, or lets others run meanwhile.
    func pause()
}

/// What is thrown where a run is to go wrong.
package struct PlannedFailure: Error {
    package init() {}
}

extension Simulation: WorkloadFates {
    package func pause() {
        if happens(.callTakesLong) { yield() }
    }
}
