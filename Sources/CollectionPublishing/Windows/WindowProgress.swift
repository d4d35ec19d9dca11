/// Where a reader of a window is.
struct WindowProgress {
    enum Position: Hashable {
        /// It has been told nothing yet.
        case joining
        /// Its window is in the rows of a version, and what it sees is what was there.
        case at(Int)
        /// It has left, or was told that nothing comes any more.
        case ended
    }

    var position = Position.joining

    /// What it wants to see, where that is not its window yet.
    var wanted: PublishedWindow?
    /// Where it is.
    var window = RowWindow(pin: 0, before: 0, count: 0, follows: false)

    // What it was told last: where nothing happens within the window, that can be long ago.

    /// The version.
    var toldVersion = 0
    /// The first row of the window at that version.
    var toldRow = 0
    /// What it has of the list.
    var contents = KeptState()
    /// Where in the list that is.
    var place = WindowPlace(
        totalSections: 0,
        totalItems: 0,
        firstSection: 0,
        firstItem: 0,
        itemsBefore: 0
    )

    /// Whether it is to be told when it has everything.
    var isOwedMark = false
    /// Whether its version is retained for it.
    var isRetained = false

    init(joining window: PublishedWindow) { wanted = window }
}
