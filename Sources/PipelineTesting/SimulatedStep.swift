/// One step of a simulation, as its trace has it.
public struct SimulatedStep: Hashable, Sendable {
    /// Its number in the run, from 1.
    public let step: Int

    /// The number of what ran, in the order of enqueuing; the parts of a fork share one.
    public let number: Int

    /// The label of the lane, or `workers` or `timers`.
    public let place: String

    /// When it began or went on, by ``Simulation/now``.
    public let timestamp: Duration

    /// Whether it goes on there, after others that it let in.
    public let isResumed: Bool

    /// What was noted while it ran; see ``Simulation/annotate(_:)``.
    public internal(set) var notes: [String] = []

    static let worker = "workers"
    static let timer = "timers"
}
