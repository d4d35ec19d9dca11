import CollectionPublishing
import PipelineTrace
import SimulatedView

// Samples of the README and of the guide, each in a declaration that a test of `SampleTests` runs.

final class PostNode: CollectionNode {
    let text: String
    init(_ text: String) { self.text = text }
    func measure(in range: SizeRange) -> Size { Size(width: range.maximum.width, height: 1) }
}

final class Feed: CollectionDataSource {
    var posts = ["first", "second"]
    func numberOfItems(inSection section: Int) -> Int { posts.count }
    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let text = posts[path.item]
        return { PostNode(text) }
    }
    func model(forItemAt path: ItemPath) -> (any Sendable)? { posts[path.item] }
}

final class LogSource: ModelDataSource {
    var lines: [String] = []
    let makeNode: @Sendable (String) throws -> any CollectionNode = { PostNode($0) }
    func numberOfItems(inSection section: Int) -> Int { lines.count }
    func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<String> { lines[items] }
}

struct Post: Identifiable, Equatable {
    let id: Int
    var text: String
}

func fromRows(_ view: SimulatedCollectionView) async throws -> ElementMap {
    let board = DataController(rows: Post.self, sections: String.self, view: view) { post in
        PostNode(post.text)  // on a worker, once for each row
    }
    var posts = [Post(id: 1, text: "Hello"), Post(id: 2, text: "rows")]
    try await board.apply(SectionedRows([("today", posts)]))  // the first load
    posts.swapAt(0, 1)
    posts[0].text = "Rows that change"
    posts.append(Post(id: 3, text: "and new ones"))
    // One change set: a move, an update in place and an insert.
    try await board.apply(SectionedRows([("today", posts)]))
    await board.close()
    return board.visibleMap
}

func follow(_ hub: UpdateHub, from version: PublishedVersion?) async throws -> CollectionReplica {
    var replica = CollectionReplica()
    for await message in try hub.messages(from: version) {
        try replica.apply(message)  // a server writes it to a connection instead
    }
    return replica
}

struct Order: Identifiable, Equatable {
    let id: Int
    var customer: String
    var state: String
}

func liveOrders(
    in store: OrderStore,
    lastEventID: String?,
    write: ([UInt8]) async throws -> Void
) async throws {
    let list = LiveList(rows: Order.self, sections: String.self) { order in
        "<p>\(order.customer)</p>"  // interpolated text is escaped
    } header: { state in
        "<h2>\(state)</h2>"
    }
    // After each write, from any task:
    try await list.refresh { try await store.ordersByState() }
    // For each reader, in the route of the event stream:
    for try await chunk in try list.events(lastEventID: lastEventID) { try await write(chunk) }
}

func makeList() -> LiveList<SectionedRows<String, Order>> {
    LiveList(rows: Order.self, sections: String.self) { order in
        "<p>\(order.customer)</p>"  // a text is escaped, markup is not
    } header: { state in
        "<h2>\(state)</h2>"
    }
}

func trace(_ view: SimulatedCollectionView) async throws -> [UInt8] {
    let recorder = TraceRecorder()  // of the newest events
    let traced = TracedEnvironment("collection", receiver: recorder)  // of lanes and workers too
    let controller = DataController(
        dataSource: Feed(),
        view: view,
        lane: traced.mainLane(EmulatedMainLane()),
        environment: traced,
        observer: recorder
    )
    try await controller.reloadData()
    print(PipelineTimeline(recorder.entries).changeSets)
    await controller.close()
    return ChromeTrace.json(of: recorder.entries)
}

func thePurePart() throws {
    var changes = HierarchyChangeSet()
    changes.deleteItems(at: [ItemPath(section: 0, item: 2)])
    changes.moveItem(at: ItemPath(section: 0, item: 0), to: ItemPath(section: 1, item: 1))
    let update = try changes.validated(from: [3, 1], to: [1, 2])
    for edit in update.edits { print(edit) }  // removals descending, then insertions ascending
    print(update.newPath(for: ItemPath(section: 0, item: 1)) ?? "gone")  // 0 - 0
}

struct NoSuchPost: Error {}

func delete(_ post: String, from controller: DataController<Feed>) async -> Int {
    do throws(UpdateError) {
        try await controller.performBatchUpdates { feed, changes in
            guard let item = feed.posts.firstIndex(of: post) else { throw Withdrawal(NoSuchPost()) }
            feed.posts.remove(at: item)
            changes.deleteItems(at: [ItemPath(section: 0, item: item)])
        }
        return 204
    } catch {
        switch error.code {
        case .withdrawn: return 404
        case .backlogFull, .closed: return 503
        default:
            print(error)  // what is wrong, the likely mistake, the sums, UIKit's words
            return 500
        }
    }
}

func onTheMainLane(_ controller: DataController<Feed>) {
    controller.lane.enqueue {
        let list = controller.assumeIsolated()
        list.dataSource.posts.removeLast()
        try? list.deleteItems(at: [ItemPath(section: 0, item: list.dataSource.posts.count)])
    }
}

func modelsAlone() async throws {
    let controller = DataController(models: [["a", "b"]])
    try await controller.reloadData()
    try await controller.performBatchUpdates { list, changes in
        list[0].insert("new", at: 0)
        changes.insertItems(at: [ItemPath(section: 0, item: 0)])
    }
    print(controller.visibleMap.items.compactMap { $0.content.model as? String })
}
