import CollectionPipeline

/// One call that a simulated view made or received; the view's log is a list of them.
///
/// The description is one line, for tests to compare.
public enum ViewEvent: Hashable, Sendable, CustomStringConvertible {
    /// The pipeline handed over an update.
    case received(SubmissionID)
    /// A turn of the view found it busy; the updates stay in its queue.
    case postponed(waiting: Int)
    /// The view applied an update's edits.
    case applied(SubmissionID, takeOuts: Int, putIns: Int, reconfigured: Int)
    /// The view replaced everything.
    case reloaded(SubmissionID)
    /// The view refused an update.
    case refused(SubmissionID, ViewRefusal)
    /// The pipeline had no use for an update any more.
    case dropped(SubmissionID)
    /// The view is done with an update, animations included.
    case finished(SubmissionID)
    /// A row came into sight.
    case willDisplay(ElementPlace)
    /// A row went out of sight; its place is the one it had.
    case didEndDisplaying(ElementPlace)
    /// Scrolling or animating began; updates wait.
    case becameBusy
    /// Scrolling or animating ended.
    case becameIdle

    /// The event in a line.
    public var description: String {
        switch self {
        case .received(let id): "received \(id)"
        case .postponed(let waiting): "postponed, \(waiting) waiting"
        case .applied(let id, let takeOuts, let putIns, let reconfigured):
            "applied \(id): -\(takeOuts) +\(putIns) ~\(reconfigured)"
        case .reloaded(let id): "reloaded \(id)"
        case .refused(let id, let refusal): "refused \(id): \(refusal.code.rawValue)"
        case .dropped(let id): "dropped \(id)"
        case .finished(let id): "finished \(id)"
        case .willDisplay(let row): "willDisplay \(row)"
        case .didEndDisplaying(let row): "didEndDisplaying \(row)"
        case .becameBusy: "busy"
        case .becameIdle: "idle"
        }
    }
}
