/// What was wrong with a run as such.
@nonexhaustive
public enum SimulationFault: Error, Hashable, Sendable {
    /// Something waits for a signal, and nothing is left that could give it; with what waits where.
    case deadlock(report: String)
    /// There was still something to do after so many steps; with what waits where.
    case livelock(steps: Int, report: String)
}

extension SimulationFault: CustomStringConvertible {
    /// The fault, with what waits where.
    public var description: String {
        switch self {
        case .deadlock(let report): "deadlock: a call waits, and nothing is left to run\n\(report)"
        case .livelock(let steps, let report): "livelock: not done after \(steps) steps\n\(report)"
        }
    }
}
