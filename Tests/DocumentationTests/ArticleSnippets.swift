import CollectionPublishing
import CollectionReplication
import Foundation
import PipelineTesting

// The samples of the articles that are not in the README, each in a declaration that a test of
// `SampleTests` runs.

func insertAPost(_ controller: DataController<Feed>) async throws {
    try await controller.performBatchUpdates { feed, changes in
        feed.posts.insert("new", at: 0)
        changes.insertItems(at: [ItemPath(section: 0, item: 0)])
    }
}

final class OrderStore: Sendable {
    private let orders = Lock([
        Order(id: 1, customer: "Ada & co", state: "new"),
        Order(id: 2, customer: "Grace", state: "new"),
    ])

    func setState(_ state: String, of id: Int) async throws {
        orders.withLock { orders in
            for index in orders.indices where orders[index].id == id { orders[index].state = state }
        }
    }

    func ordersByState() async throws -> SectionedRows<String, Order> {
        let orders = orders.withLock { $0 }
        return SectionedRows(
            ["new", "paid"].map { state in (state, orders.filter { $0.state == state }) }
        )
    }
}

func pay(
    _ id: Int,
    in store: OrderStore,
    _ list: LiveList<SectionedRows<String, Order>>
) async throws -> String {
    try await store.setState("paid", of: id)
    let version = try await list.refresh { try await store.ordersByState() }
    return "\(version)"  // for the response: from this version on, readers see the write
}

/// The body of a response of type `text/event-stream`; `write` takes as long as the client does.
func stream(
    _ list: LiveList<SectionedRows<String, Order>>,
    lastEventID: String?,
    write: ([UInt8]) async throws -> Void
) async throws {
    for try await chunk in try list.events(lastEventID: lastEventID) { try await write(chunk) }
}

/// The protocol of swift-service-lifecycle.
protocol Service { func run() async throws }

private func cancelWhenGracefulShutdown(_ operation: @Sendable () async -> Void) async {
    await operation()
}

struct ListService: Service {
    let list: LiveList<SectionedRows<String, Order>>
    let store: OrderStore

    func run() async {
        await cancelWhenGracefulShutdown { [list, store] in
            await list.run(refreshingEvery: .seconds(1)) { try await store.ordersByState() }
        }
    }
}

/// The response to a request for a script: header fields and a body; `nil` if no script has the
/// name.
func script(_ name: String) -> ([String: String], [UInt8])? {
    guard let script = BrowserScript.named(name) else { return nil }
    let headers = ["Content-Type": script.contentType, "ETag": script.entityTag]
    return (headers, script.bytes)
}

func readOn(_ hub: UpdateHub) async throws -> CollectionReplica {
    let messages = try hub.messages(window: .rows(0, count: 50))
    var replica = CollectionReplica()
    for await message in messages {
        try replica.apply(message)
        if let place = replica.place, place.itemsBefore > 0 { break }
        try messages.setWindow(.rows(200, count: 50))  // the user has scrolled
    }
    return replica
}

/// Passes on what a person should see, and how long updates take.
struct PipelineLog: PipelineObserver {
    let log: @Sendable (_ line: String) -> Void
    let record: @Sendable (_ step: String, _ duration: Duration, _ backlog: Int?) -> Void

    func observe(_ event: PipelineEvent) {
        switch event.kind {
        case .rejected, .elementFailed, .viewGone, .viewRefused, .disagreed, .stalled, .stallEnded:
            log("\(event)")
        case .accepted, .measuringFinished, .handedOver, .deployed:
            if let duration = event.duration {
                record(event.kind.rawValue, duration, event.backlog)
            }
        default: break
        }
    }
}

func join(
    _ log: any ReplicatedLog,
    makeBoard: @escaping @Sendable (PublishedSnapshot, UpdateHub) -> Void,
    dropBoard: @escaping @Sendable () -> Void
) -> ReplicatedHub {
    let replica = ReplicatedHub(log: log)
    replica.follow()
    replica.campaign { [weak replica] change in
        guard case .began(let snapshot) = change else { return dropBoard() }
        let source = UpdateHub()
        makeBoard(snapshot, source)  // a controller of that list, with `source` as its view
        replica?.publish(from: source)
    }
    return replica
}

func health<Source>(_ controller: DataController<Source>, _ hub: UpdateHub) async -> String {
    let readers = await hub.report()
    return """
        \(await controller.report())
        readers: \(readers.waitingReaders) of \(readers.readers) have everything
        version: \(readers.version)
        """
}

actor Editor {
    private let lane: EmulatedMainLane
    private let controller: DataController<Feed>
    nonisolated var unownedExecutor: UnownedSerialExecutor { lane.asUnownedSerialExecutor() }

    init(_ feed: sending Feed) {
        lane = EmulatedMainLane(label: "feed")
        controller = DataController(dataSource: feed, lane: lane)
    }

    func load() async throws { try await controller.reloadData() }

    func removeLast() throws {
        let list = controller.assumeIsolated()
        list.dataSource.posts.removeLast()
        try list.deleteItems(at: [ItemPath(section: 0, item: list.dataSource.posts.count)])
    }

    func count() -> Int { controller.pendingMap.numberOfItems }
}

/// A lane over an event loop, or over anything else that runs closures one after the other.
final class LoopLane: Lane {
    let label: String
    private let isInside: @Sendable () -> Bool
    private let execute: @Sendable (@escaping @Sendable () -> Void) -> Void

    init(
        label: String,
        isInside: @escaping @Sendable () -> Bool,
        execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.label = label
        self.isInside = isInside
        self.execute = execute
    }

    var isCurrent: Bool { isInside() }
    func enqueue(_ work: @escaping @Sendable () -> Void) { execute(work) }
}

struct ParserFailure: Error {}
struct PostsAreMissing: Error {}

extension FaultPoint {
    static let parserFails = FaultPoint(rawValue: "parserFails")
}

/// A feed of which some posts cannot be made into nodes.
final class ParsedFeed: CollectionDataSource {
    private let simulation: Simulation
    init(_ simulation: Simulation) { self.simulation = simulation }
    func numberOfItems(inSection section: Int) -> Int { 3 }
    func model(forItemAt path: ItemPath) -> (any Sendable)? { path.item }
    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [simulation] in
            if simulation.happens(.parserFails) { throw ParserFailure() }
            return PostNode("post \(path.item)")
        }
    }
}

func testPostsThatFail() throws {
    let rates = FaultPoint.viewRates.merging([.parserFails: 0.2]) { $1 }
    try Simulation.forEachSeed(0..<100, faultRates: rates) { simulation in
        let view = FaultyView(in: simulation)
        let feed = ParsedFeed(simulation)
        let controller = DataController(dataSource: feed, view: view, in: simulation)
        controller.enqueueBatchUpdates { _, changes in
            changes.reloadData()
        } completion: { _ in
        }
        try simulation.settle(controller, view)
        guard controller.visibleMap.numberOfItems == 3 else { throw PostsAreMissing() }
    }
}

/// A view that shows its lines at once.
private final class ListView: CollectionView, @unchecked Sendable {  // main-lane confined
    private(set) var rows: [String?] = []
    func attach(to lane: any Lane) {}
    var elementSizeRange: SizeRange { .width(40) }
    var firstVisiblePath: ItemPath? { nil }
    func perform(_ update: ViewUpdate) {
        let isDeployed = update.deploy { update in
            rows = Self.rows(of: update.newMap)
        }
        if isDeployed { update.finish() }
    }
    static func rows(of map: ElementMap) -> [String?] {
        map.items.map { $0.content.model as? String }
    }
}

func testAView() throws {
    try Simulation.forEachSeed(0..<1_000) { simulation in
        let list = ListView()  // your CollectionView
        let view = FaultyView(wrapping: list, in: simulation, expecting: ListView.rows) {
            list.rows
        }
        let controller = DataController(dataSource: LogSource(), view: view, in: simulation)
        for line in ["a", "b", "c"] {
            controller.enqueueBatchUpdates { log, changes in
                log.lines.insert(line, at: 0)
                changes.insertItems(at: [ItemPath(section: 0, item: 0)])
            } completion: { _ in
            }
        }
        try simulation.settle(controller, view)
    }
}
