/// Where a reader of a window is.
struct WindowProgress {
    enum Position: Hashable {
        /// It has been told nothing yet, and wants to see this.
        case joining(PublishedWindow)
        /// Its window is in the rows of a version, and it has what is in it there.
        case at(Int)
        /// The same, and the version is retained for it, since nobody knows otherwise where what it follows has gone.
        case retaining(Int)
        /// It has left, or was told that nothing comes any more.
        case ended
    }

    /// What a reader was told last. Where nothing happens in its window, that can be long ago.
    struct Told {
        /// Which line of versions that is of (``HubLedger/line``).
        var line: UInt16
        /// The version.
        var version: Int
        /// The rows of the window at that version.
        var rows: Range<Int>
        /// Where in the list they are.
        var place: WindowPlace
        /// What is in them.
        var contents: KeptState
    }

    var position: Position
    /// Where it is; nil before it has been told anything.
    var window: RowWindow?
    var told: Told?
    /// Whether its window is another than that which it was told of.
    var isMoved = false
    /// Whether it is to be told when it has everything.
    var isOwedMark = false

    init(joining window: PublishedWindow) { position = .joining(window) }

    /// The version whose rows its window is in.
    var version: Int? {
        switch position {
        case .at(let version), .retaining(let version): version
        case .joining, .ended: nil
        }
    }
}
