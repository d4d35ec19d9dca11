/// Where something ran: a row of a trace.
@nonexhaustive
public enum TracePlace: Hashable, Sendable {
    /// The main lane of a controller.
    case mainLane
    /// One of the workers that ran parts of forks, from 1: whichever was free, not a thread of the system.
    case worker(Int)
    /// Another lane, by its label.
    case lane(String)
}
