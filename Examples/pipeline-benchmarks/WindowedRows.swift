import CollectionPublishing

/// A hub of rows of one section, and readers that see windows all over it, with rows between them that nobody sees.
struct WindowedRows {
    private let hub = UpdateHub(environment: CallingEnvironment())
    private var readers: [HubReader] = []
    private let count: Int
    private let told = Tally()
    private var version = 1
    private var hasInserted = false

    private static let payload = PublishedPayload("<b>row</b>")

    /// - Parameter count: how many rows.
    init(count: Int, windows: Int) throws {
        self.count = count
        let changes = HierarchyChangeSet([.reloadData()])
        publish(try changes.validated(from: [], to: [count]))
        for number in 0..<windows {
            let row = number * (count / max(1, windows)) + 60
            let window = PublishedWindow.around(row: row, before: 15, after: 14)
            readers.append(
                try hub.addReader(window: window) { [told] _ in
                    told.add(1)
                    return .more
                }
            )
        }
    }

    private func publish(_ update: ValidatedChangeSet) {
        hub.publish(RenderedUpdate(update, to: version, item: { _ in Self.payload }))
    }

    /// Rows come before all windows, between them and after them, or go again.
    mutating func publishOutside() throws {
        let paths = [10, count / 2 + 10, count - 1].map { ItemPath(section: 0, item: $0) }
        let operation: HierarchyChangeSet.Operation =
            hasInserted ? .deleteItems(paths, .automatic) : .insertItems(paths, .automatic)
        let (old, new) = hasInserted ? (count + 3, count) : (count, count + 3)
        hasInserted.toggle()
        version += 1
        BlackHole.consume(UInt(version))
        publish(try HierarchyChangeSet([operation]).validated(from: [old], to: [new]))
    }

    /// How many messages there were.
    var messages: Int { told.count }
}
