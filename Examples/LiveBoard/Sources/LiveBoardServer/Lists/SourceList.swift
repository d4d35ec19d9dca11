import CollectionPublishing
import Synchronization
import Tracing

/// A list that many readers follow: a controller whose view is a hub, and the hub's connections.
final class SourceList: Sendable {
    /// The name of the list in URLs.
    let name: String
    let controller: DataController<SnapshotDataSource<ListState>>
    let hub: UpdateHub
    let streams: ListStreams
    /// The newest state, and the source of names for added rows. The lock also puts the states into
    /// the order in which they were made.
    private let newest: Mutex<(state: ListState, names: RowNames)>
    /// Whether the last refresh succeeded.
    let isRefreshed = Atomic(true)

    /// - Parameter lane: The main lane of the controller; `nil` creates one.
    init(
        name: String,
        hub hubConfiguration: HubConfiguration = HubConfiguration(),
        lane: (any Lane)? = nil,
        names: RowNames = RowNames(),
        observer: (any PipelineObserver)? = nil
    ) {
        self.name = name
        newest = Mutex((ListState(), names))
        hub = UpdateHub(configuration: hubConfiguration)
        streams = ListStreams(hub: hub)
        var configuration = PipelineConfiguration()
        configuration.name = name
        controller = DataController(
            states: ListState.self,
            view: hub,
            configuration: configuration,
            // The names of two files may be equal as strings, but not as bytes.
            differences: DifferenceOptions(duplicates: .byOccurrence),
            lane: lane,
            observer: observer,
            makeNode: { row in PayloadNode(row.payload) },
            header: { header in PayloadNode(header.payload) }
        )
    }

    /// Shows a state, and returns after its deployment.
    func show(_ state: ListState) async throws {
        _ = try await submit { newest in newest.state = state }
    }

    func make(_ edit: BoardEdit) async throws -> (version: PublishedVersion, id: String) {
        // The edit carries the span, so that the pipeline's steps appear below the request's.
        let trace = SubmissionTrace("board edit")
        do {
            return try await submit(trace) { newest throws(RequestFault) in
                var board = BoardModel(newest.state)
                let id = try board.apply(edit, newID: newest.names.next())
                newest.state = board.state
                return id
            }
        } catch let fault as RequestFault {
            // Nothing was submitted, so no event ends the span.
            trace.span.end()
            throw fault
        } catch is CancellationError {
            throw RequestFault.shuttingDown
        }
    }

    /// Changes the newest state, and returns after its deployment.
    ///
    /// - Throws: The error of `change` or of the update; a `CancellationError` if the list closes.
    private func submit<Value: Sendable, Fault: Error>(
        _ callerContext: (any Sendable)? = nil,
        _ change: (inout (state: ListState, names: RowNames)) throws(Fault) -> Value
    ) async throws -> (version: PublishedVersion, Value) {
        var made: Value?
        let result: UpdateResult? = try await firstValue { deliver throws(Fault) in
            made = try newest.withLock { newest throws(Fault) in
                let value = try change(&newest)
                // The call only enqueues the state.
                controller.apply(newest.state, callerContext: callerContext, completion: deliver)
                return value
            }
        }
        guard let result, let made else { throw CancellationError() }
        switch result.outcome {
        case .deployed, .deployedByReload, .superseded: return (hub.version(of: result), made)
        case .rejected(let error) where error.code != .closed: throw error
        case .refusedByView(let error): throw error
        default: throw CancellationError()
        }
    }
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

    /// Makes an edit of the board, and returns after its deployment.
    ///
    /// - Returns: A version that contains the edit, as do all later ones, and the name of the card.
    /// - Throws: A `RequestFault`, which is `unconfirmed` if it is unknown whether the edit was
    ///   made; or an `UpdateError`.
    func make(_ edit: BoardEdit) async throws -> (version: PublishedVersion, id: String)
}

extension SourceList: ServedList {
    var source: SourceList? { self }
    var role: String { "only" }
    var isCurrent: Bool { isRefreshed.load(ordering: .relaxed) }

    /// Returns immediately, because the server shows the first state before it listens.
    func loaded() async {}
}

/// The state of a list: sections with headers, and rows.
typealias ListState = SectionedRows<ListHeader, ListRow>

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
struct ListHeader: Identifiable, Equatable, Sendable {
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

/// The source of names for added rows.
struct RowNames: Sendable {
    /// A prefix that no other server or leadership uses for the list.
    var prefix = "c"
    /// The number in the previous name.
    var last = 0

    /// Returns a name that no row of the list has had.
    mutating func next() -> String {
        last += 1
        return "\(prefix)\(last)"
    }
}

extension HTML {
    /// Returns a `span` with a class and an optional label for screen readers.
    static func span(_ name: String, _ text: String, label: String? = nil) -> HTML {
        guard let label else { return "<span class=\"\(name)\">\(text)</span>" }
        return "<span class=\"\(name)\" aria-label=\"\(label)\">\(text)</span>"
    }

    /// Returns `text` with its escaped characters restored.
    static func unescaped(_ text: some StringProtocol) -> String {
        let marks = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ]
        // By bytes, because a combining mark forms one character with a preceding semicolon.
        let bytes = marks.reduce(Array(text.utf8)) { bytes, mark in
            bytes.replacing(Array(mark.0.utf8), with: mark.1.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
