import CollectionPublishing

/// A hub of rows of one section, and readers that see windows of its second half.
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
            let row = count / 2 + number * max(1, count / 2 / windows)
            let window = PublishedWindow.around(row: row, before: 25, after: 24)
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

    /// A row comes before all windows, or goes again.
    mutating func publishOutside() throws {
        let path = [ItemPath(section: 0, item: 10)]
        let operation: HierarchyChangeSet.Operation =
            hasInserted ? .deleteItems(path, .automatic) : .insertItems(path, .automatic)
        let (old, new) = hasInserted ? (count + 1, count) : (count, count + 1)
        hasInserted.toggle()
        version += 1
        BlackHole.consume(UInt(version))
        publish(try HierarchyChangeSet([operation]).validated(from: [old], to: [new]))
    }

    /// How many messages there were.
    var messages: Int { told.count }
}
