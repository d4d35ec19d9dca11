import CollectionPublishing
import Synchronization

/// A list that many readers follow: a controller whose view is a hub, and the hub's connections.
final class SourceList: Sendable {
    /// The name of the list in URLs.
    let name: String
    let controller: DataController<ListSource>
    let hub: UpdateHub
    let streams: ListStreams
    /// The newest accepted state.
    private let accepted = Mutex(ListState())
    /// Whether the last refresh succeeded.
    let isRefreshed = Atomic(true)

    /// - Parameter lane: The main lane of the controller; `nil` creates one.
    init(
        name: String,
        settings: ListSettings,
        lane: (any Lane)? = nil,
        names: RowNames = RowNames()
    ) {
        self.name = name
        var hubConfiguration = HubConfiguration()
        hubConfiguration.name = "\(name).hub"
        hubConfiguration.minimumInterval = settings.announcementInterval
        hubConfiguration.heartbeat = settings.heartbeat
        hub = UpdateHub(configuration: hubConfiguration)
        streams = ListStreams(hub: hub)
        var configuration = PipelineConfiguration()
        configuration.name = name
        // A rejected update stays in the source. A reload shows readers the state of the source.
        configuration.rejectionPolicy = .reload
        controller = DataController(
            dataSource: ListSource(names: names),
            view: hub,
            configuration: configuration,
            lane: lane,
            observer: settings.observer
        )
    }

    /// Shows a state, and returns after its deployment. The comparison runs in the caller's task.
    ///
    /// Call it from one task at a time, and do not edit the same list in any other way.
    func show(_ state: ListState) async throws {
        let old = accepted.withLock { $0 }
        guard controller.pendingMap.generation > 0 else {
            try await edit { source, changes in
                source.state = state
                changes.reloadData()
            }
            return
        }
        if old == state { return }
        let operations = try state.changes(from: old).operations
        try await edit { source, changes in
            source.state = state
            for operation in operations { changes.record(operation) }
        }
    }

    /// Edits the list on its main lane, and returns after the deployment of the edit.
    ///
    /// - Parameters:
    ///   - callerContext: The value that the pipeline's events carry.
    ///   - updates: A closure that changes the source's state and records the changes, or throws a
    ///     `Withdrawal`.
    @discardableResult
    func edit(
        callerContext: (any Sendable)? = nil,
        _ updates: @escaping @Sendable (ListSource, inout BatchRecorder) throws -> Void
    ) async throws(UpdateError) -> UpdateResult {
        try await controller.performBatchUpdates(callerContext: callerContext) {
            [self] source, changes in
            try updates(source, &changes)
            accepted.withLock { $0 = source.state }
        }
    }

    /// Returns the number of the hub's first version with an edit; the newest if nothing changed.
    func number(of result: UpdateResult) -> Int {
        result.generation ?? controller.visibleMap.generation
    }
}

/// The settings that all lists of a server share.
struct ListSettings: Sendable {
    var announcementInterval = Duration.milliseconds(100)
    var heartbeat: Duration? = .seconds(10)
    var observer: (any PipelineObserver)?
}

/// A list that the routes serve. This server makes it, or follows the log of another server.
protocol ServedList: AnyObject, Sendable {
    var name: String { get }
    /// The hub and the connections of the readers.
    var streams: ListStreams { get }
    /// The list with its controller; `nil` if another server makes it now.
    var source: SourceList? { get }
    /// The role: `only` without a cluster; otherwise `leading`, `standing` or `following`.
    var role: String { get }
    /// Whether readers can receive everything that was published, and the last refresh succeeded.
    var isCurrent: Bool { get }

    /// Waits until readers can follow a first state.
    func loaded() async

    /// Edits the list.
    ///
    /// - Returns: A version that contains the edit. All later versions contain it too.
    /// - Throws: An `UpdateError`; `RequestFault.noLeader` if this server does not make the list
    ///   and the edit was not made; or `RequestFault.unconfirmed` if it is unknown whether the edit
    ///   was made.
    func change(
        callerContext: (any Sendable)?,
        _ updates: @escaping @Sendable (ListSource, inout BatchRecorder) throws -> Void
    ) async throws -> PublishedVersion
}

extension SourceList: ServedList {
    var source: SourceList? { self }
    var role: String { "only" }
    var isCurrent: Bool { isRefreshed.load(ordering: .relaxed) }

    /// Returns immediately, because the server shows the first state before it listens.
    func loaded() async {}

    func change(
        callerContext: (any Sendable)?,
        _ updates: @escaping @Sendable (ListSource, inout BatchRecorder) throws -> Void
    ) async throws -> PublishedVersion {
        let result = try await edit(callerContext: callerContext, updates)
        return PublishedVersion(handle: hub.snapshot.version.handle, number: number(of: result))
    }
}

/// The state of a list: sections with headers and rows.
struct ListState: Equatable, Sendable {
    typealias Rows = SectionedRows<String, ListRow>

    let headers: [ListHeader]
    let rows: Rows

    /// Creates a state with the given sections, in order.
    init(_ sections: [(header: ListHeader, rows: [ListRow])] = []) {
        headers = sections.map(\.header)
        rows = Rows(sections.map { ($0.header.id, $0.rows) })
    }

    /// Returns the changes from `old` to this state. A moved row keeps its identity, a row with new
    /// content is changed in place, and a header with new content is reloaded.
    ///
    /// Complexity: O(n).
    func changes(from old: ListState) throws(DifferenceError) -> HierarchyChangeSet {
        let update = try rows.changes(
            from: old.rows,
            options: DifferenceOptions(),
            isCancelled: { false }
        )
        var changes = HierarchyChangeSet(recording: update)
        let others = headers.indices.filter { section in
            update.oldSection(for: section).map { old.headers[$0] != headers[section] } ?? false
        }
        if !others.isEmpty {
            changes.reloadSupplementaries(ofKind: .header, in: SectionSet(others))
        }
        return changes
    }
}

/// A row of a list. Two rows are equal if they have the same name and content.
struct ListRow: Identifiable, Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case process(ProcessRow)
        case card(String)
        case file(FileRow)
    }

    /// The application's name for the row, which is `data-id` on the page; unique in a list.
    let id: String
    let content: Content

    /// The HTML of the row. A worker renders it when it measures the row.
    var payload: PublishedPayload {
        switch content {
        case .process(let process): PublishedPayload(process.html(id: id))
        case .card(let text):
            PublishedPayload(
                "<div class=\"row card\" data-id=\"\(id)\">\(HTML.span("text", text))</div>"
            )
        case .file(let file): PublishedPayload(file.html(id: id))
        }
    }
}

/// The header of a section: its title, its number of rows, and a total.
struct ListHeader: Equatable, Sendable {
    /// The name of the list.
    let list: String
    /// The application's name for the section, which is `data-id` on the page; unique in a list.
    let id: String
    let title: String
    let count: Int
    /// The sum over all rows, in lists that have one.
    var total: String?

    /// The HTML of the header. A worker renders it when it measures the header.
    var payload: PublishedPayload {
        let rows = "\(count) row\(count == 1 ? "" : "s")"
        let total = total.map { [HTML.span("total", $0)] } ?? []
        return PublishedPayload(
            """
            <div class="header \(list)" data-id="\(id)">\(HTML.span("title", title))\
            <span class="count" title="\(rows)">\(count)</span>\(total)</div>
            """
        )
    }
}

/// A list's data source, which renders rows as nodes. The controller's main lane guards it.
final class ListSource: CollectionDataSource {
    var state = ListState()
    private var names: RowNames

    init(names: RowNames) { self.names = names }

    /// Returns a name that no row of the list has had.
    func makeName() -> String {
        names.last += 1
        return "\(names.prefix)\(names.last)"
    }

    func numberOfSections() -> Int { state.headers.count }

    func numberOfItems(inSection section: Int) -> Int { state.rows.rows[section].count }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let row = state.rows.rows[path.section][path.item]
        // A worker renders the row once for all readers.
        return { PayloadNode(row.payload) }
    }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] { [.header] }

    func supplementaryNodeProvider(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> NodeProvider {
        let header = state.headers[path.section]
        return { PayloadNode(header.payload) }
    }
}

/// The source of names for added rows.
struct RowNames: Sendable {
    /// A prefix that no other server or leadership uses for the list.
    var prefix = "c"
    /// The number in the previous name.
    var last = 0
}

extension HTML {
    /// Returns a `span` with a class and an optional label for screen readers.
    static func span(_ name: String, _ text: String, label: String? = nil) -> HTML {
        guard let label else { return "<span class=\"\(name)\">\(text)</span>" }
        return "<span class=\"\(name)\" aria-label=\"\(label)\">\(text)</span>"
    }

    /// Returns `text` with its escaped characters restored.
    static func unescaped(_ text: some StringProtocol) -> String {
        let marks: [(String, Unicode.Scalar)] = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ]
        // By scalars, because a combining mark forms one character with a preceding bracket.
        var scalars = Array(text.unicodeScalars)
        for (mark, plain) in marks {
            scalars = scalars.replacing(Array(mark.unicodeScalars), with: CollectionOfOne(plain))
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
