import CollectionElements

/// What step 1 knows of the data source beside the maps, and whether it is being asked right now.
///
/// A value; the main lane owns it.
struct DataSourceState {
    /// Whether a set was accepted since the beginning, or since the last `clear()`: before that every set
    /// is the initial load.
    var hasLoaded = false

    /// What the next section that is accepted will be called.
    var nextSectionID = 0

    /// How the data source may differ from what was accepted.
    var divergences = DivergenceLedger()

    private var state = State.idle

    private enum State {
        case idle
        /// The data source, or the layout delegate, is being called.
        case asking
        /// It has submitted something meanwhile, and what it answers counts for nothing.
        case disturbed
    }

    /// Whether the data source is being asked, and must not submit.
    var isAsking: Bool { state != .idle }

    mutating func began() { state = .asking }

    /// A submission came while the data source was asked; the set that is being latched is then rejected.
    mutating func disturbed() { state = .disturbed }

    var isDisturbed: Bool { state == .disturbed }

    mutating func ended() { state = .idle }
}
