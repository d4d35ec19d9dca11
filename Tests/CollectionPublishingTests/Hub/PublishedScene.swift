import CollectionElements
import CollectionPipeline
import CollectionPublishing
import PipelineTestSupport

/// Sections of texts with one header each, rendered unchanged; texts that begin with `!` cannot be
/// rendered.
final class TextBoard: CollectionDataSource {
    struct Section: Hashable, Sendable {
        var header: String?
        var items: [String]
    }

    struct CannotRender: Error {}

    var sections: [Section]

    init(_ sections: [Section]) { self.sections = sections }

    private static func provider(_ text: String) -> NodeProvider {
        {
            if text.hasPrefix("!") { throw CannotRender() }
            return PayloadNode(PublishedPayload(utf8: text))
        }
    }

    func numberOfSections() -> Int { sections.count }
    func numberOfItems(inSection section: Int) -> Int { sections[section].items.count }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        Self.provider(sections[path.section].items[path.item])
    }

    func model(forItemAt path: ItemPath) -> (any Sendable)? {
        sections[path.section].items[path.item]
    }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] {
        sections[section].header == nil ? [] : [.header]
    }

    func numberOfSupplementaries(
        ofKind kind: SupplementaryKind,
        inSection section: Int
    ) -> Int { 1 }

    func supplementaryNodeProvider(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> NodeProvider {
        Self.provider(sections[path.section].header ?? "")
    }
}

extension TextBoard.Section: ExpressibleByArrayLiteral {
    init(arrayLiteral items: String...) { self.init(header: nil, items: items) }
}

struct PublishedScene: Sendable {
    let stage: Stage
    let hub: UpdateHub
    let controller: DataController<TextBoard>

    static let handle = HistoryID(rawValue: 7)

    init(
        _ substrate: Substrate,
        _ sections: [TextBoard.Section] = [["a", "b"], ["c"]],
        pipeline: (inout PipelineConfiguration) -> Void = { _ in },
        configure: (inout HubConfiguration) -> Void = { _ in }
    ) {
        stage = substrate.makeStage()
        var configuration = HubConfiguration()
        configuration.handle = Self.handle
        configure(&configuration)
        hub = UpdateHub(configuration: configuration, environment: stage.environment)
        var pipelineConfiguration = PipelineConfiguration.unwatched
        pipeline(&pipelineConfiguration)
        controller = stage.makeController(
            TextBoard(sections),
            view: hub,
            configuration: pipelineConfiguration
        )
    }

    /// Changes the board and returns when the change is deployed.
    @discardableResult
    func edit(
        _ updates: @escaping @Sendable (TextBoard, inout BatchRecorder) -> Void
    ) async throws -> UpdateResult {
        try await controller.performBatchUpdates { updates($0, &$1) }
    }

    @discardableResult
    func append(_ text: String) async throws -> UpdateResult {
        try await edit { board, changes in
            changes.insertItems(at: [ItemPath(0, board.sections[0].items.count)])
            board.sections[0].items.append(text)
        }
    }

    func version(_ number: Int) -> PublishedVersion {
        PublishedVersion(handle: Self.handle, number: number)
    }

    func close() async { await controller.close() }
}

/// A reader that records its messages and applies them to a replica.
final class ReplicaReader: Sendable {
    let messages = Journal<HubMessage>()
    private let state: Lock<State>

    private struct State {
        var replica = CollectionReplica()
        var errors: [ReplicaError] = []
        /// The number of messages it accepts before it pauses.
        var room: Int
    }

    init(room: Int = .max) { state = Lock(State(room: room)) }

    var replica: CollectionReplica { state.withLock { $0.replica } }
    var errors: [ReplicaError] { state.withLock { $0.errors } }
    var texts: [[String?]] { replica.state.texts }

    /// Joins `hub` and applies its messages.
    func read(
        _ hub: UpdateHub,
        from version: PublishedVersion? = nil,
        policy: ReaderPolicy = .coalesced
    ) throws -> HubReader {
        try hub.addReader(from: version, policy: policy) { self.take($0) }
    }

    func take(_ message: HubMessage) -> ReaderDemand {
        let demand = state.withLock { state in
            do throws(ReplicaError) {
                try state.replica.apply(message)
            } catch {
                state.errors.append(error)
            }
            state.room -= 1
            return state.room > 0 ? ReaderDemand.more : .pause
        }
        messages.append(message)
        return demand
    }

    /// Sets the number of messages to accept after the reader resumes.
    func makeRoom(_ count: Int = 1) { state.withLock { $0.room = count } }

    /// Adopts a snapshot, as an application with a saved state does.
    func adopt(_ snapshot: PublishedSnapshot) throws {
        try state.withLock { try $0.replica.apply(.reset(snapshot, .joined)) }
    }
}

extension PublishedState {
    var texts: [[String?]] {
        (0..<numberOfSections).map { section in
            items(inSection: section).map { $0.payload?.text }
        }
    }

    var headers: [String?] { (0..<numberOfSections).map { section(at: $0)?.payload?.text } }
}

extension PublishedPayload {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
