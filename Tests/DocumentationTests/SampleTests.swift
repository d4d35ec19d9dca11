import CollectionPublishing
import CollectionReplication
import Dispatch
import Foundation
import PipelineTestSupport
import SimulatedView
import Testing

/// Runs the samples of the README and of the articles.
@Suite(.endsHangs) struct SampleTests {
    /// The feed has two posts at the start.
    @Test func helloPipelinePrintsEachPostWithItsLines() throws {
        let result = try #require(BuiltProgram("hello-pipeline")).run([])
        #expect(result.code == 0 && result.errors.isEmpty)
        #expect(
            result.output == """
                0 - 0  2.0 lines  Change sets are validated, measured on workers, and deployed.
                0 - 1  1.0 lines  Hello, pipeline.

                """
        )
    }

    @Test func simulatedSamplesPassTheirOwnTests() throws {
        try testAView()
        try testPostsThatFail()
    }

    @Test func printedOutputMatchesTheDocuments() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) {
            try thePurePart()
            try await modelsAlone()
        }
        #expect(
            String(decoding: result?.standardOutputContent ?? [], as: UTF8.self) == """
                remove item 0 - 2 (delete)
                remove item 0 - 0 (move with 1 - 1)
                insert item 1 - 1 (move with 0 - 0)
                0 - 0
                ["new", "a", "b"]

                """
        )
    }

    @Test func feedEditsDeployAndErrorCodesMapToHTTPStatuses() async throws {
        let controller = DataController(dataSource: Feed())
        try await controller.reloadData()
        try await insertAPost(controller)
        onTheMainLane(controller)
        await controller.whenReached(.deliveredToView)
        let texts = controller.visibleMap.items.map { item in
            (item.element.nodeIfAllocated as? PostNode)?.text
        }
        #expect(texts == ["new", "first"])
        #expect(await delete("first", from: controller) == 204)
        #expect(await delete("first", from: controller) == 404)
        #expect(controller.divergence == nil)
        await controller.close()
        #expect(await delete("new", from: controller) == 503)
    }

    @Test func rowsBecomeOneChangeSetAndModelsLoadInRanges() async throws {
        let map = try await fromRows(SimulatedCollectionView(size: Size(width: 40, height: 10)))
        let rows = map.items.map { ($0.content.model as? Post)?.text }
        #expect(rows == ["Rows that change", "Hello", "and new ones"] && map.generation == 2)
        let source = LogSource()
        source.lines = ["one", "two"]
        let controller = DataController(dataSource: source)
        try await controller.reloadData()
        #expect(controller.visibleMap.texts == [["one", "two"]])
        await controller.close()
    }

    @Test func tracesContainTheChangeSet() async throws {
        let view = SimulatedCollectionView(size: Size(width: 40, height: 10))
        let trace = try StrictTrace(try await trace(view))
        #expect(trace.processNames == [1: "collection"])
        #expect(trace.spans.count == 1 && trace.flows.count == 1)
        #expect(trace.threadNames.values.contains("worker 1"))
    }

    // MARK: Articles

    private typealias RowSource = SnapshotDataSource<SectionedRows<String, Post>>

    private static func makeFeed(_ hub: UpdateHub) -> DataController<RowSource> {
        DataController(rows: Post.self, sections: String.self, view: hub) { post in
            PayloadNode("<p>\(post.text)</p>")
        }
    }

    @Test func theReadmesListStreamsItsOrders() async throws {
        struct Left: Error {}
        let written = Lock<[UInt8]>([])
        await #expect(throws: Left.self) {
            try await liveOrders(in: OrderStore(), lastEventID: nil) { chunk in
                written.withLock { $0 += chunk }
                if String(decoding: chunk, as: UTF8.self).contains("Grace") { throw Left() }
            }
        }
        #expect(String(decoding: written.withLock { $0 }, as: UTF8.self).contains("Ada &amp; co"))
    }

    @Test func readersSeeAWriteFromItsVersionOnAndStreamsResume() async throws {
        let (list, store) = (makeList(), OrderStore())
        let first = try await list.refresh { try await store.ordersByState() }
        let paid = try await pay(1, in: store, list)
        await list.close()
        #expect(paid == "\(list.hub.snapshot.version)")
        let replica = try await follow(list.hub, from: nil)
        #expect(replica.isClosed && replica.version!.hasReached(first))
        let header = replica.state.section(at: 1)?.payload
        #expect(header == PublishedPayload(utf8: "<h2>paid</h2>"))
        let item = replica.state.item(at: ItemPath(section: 1, item: 0))?.payload
        #expect(item == PublishedPayload(utf8: "<p>Ada &amp; co</p>"))
        #expect(script("live-list.js")?.1 == BrowserScript.bundle.bytes && script("x.js") == nil)
        for (lastEventID, kind) in [(nil, "reset"), ("\(first)", "update"), ("nonsense", "reset")] {
            let written = Lock<[UInt8]>([])
            try await stream(list, lastEventID: lastEventID) { chunk in
                written.withLock { $0 += chunk }
            }
            let events = String(decoding: written.withLock { $0 }, as: UTF8.self)
                .split(separator: "\n\n")
            let start = "id: \(list.hub.snapshot.version)\ndata: {\"\(kind)\":"
            #expect(events[1].hasPrefix(start), "\(events)")
            #expect(events.last?.contains("\"closed\"") == true)
        }
    }

    @Test func oneMemberLeadsAndTheOtherShowsWhatItPublishes() async throws {
        let broker = MemoryBroker(environment: DispatchEnvironment())
        let drops = Lock(0)
        let feeds = Lock<[DataController<RowSource>]>([])
        let members = ["first", "second"].map { name in
            join(broker.makeLog(label: name)) { _, hub in
                let feed = Self.makeFeed(hub)
                feeds.withLock { $0.append(feed) }
                Task {
                    try await feed.apply(SectionedRows([("today", [Post(id: 1, text: "Hello")])]))
                }
            } dropBoard: {
                drops.withLock { $0 += 1 }
                for feed in feeds.withLock({ $0 }) { Task { await feed.close() } }
            }
        }
        var versions: [PublishedVersion] = []
        for member in members {
            var replica = CollectionReplica()
            for await message in try member.hub.messages() {
                try replica.apply(message)
                let item = replica.state.item(at: ItemPath(section: 0, item: 0))
                if item?.payload == PublishedPayload(utf8: "<p>Hello</p>") { break }
            }
            versions.append(try #require(replica.version))
        }
        #expect(versions[0] == versions[1] && feeds.withLock { $0.count } == 1)
        for member in members {
            await withCheckedContinuation { done in member.close { done.resume() } }
        }
        #expect(drops.withLock { $0 } > 0)
    }

    @Test func aWindowMovesOnTheSameConnection() async throws {
        let hub = UpdateHub()
        let feed = Self.makeFeed(hub)
        let rows = (0..<300).map { Post(id: $0, text: "\($0)") }
        try await feed.apply(SectionedRows([("all", rows)]))
        let replica = try await readOn(hub)
        // Row 0 is the header.
        #expect(replica.place?.itemsBefore == 199 && replica.place?.totalItems == 300)
        #expect(replica.state.shape.itemCounts == [50])
        let item = replica.state.item(at: ItemPath(section: 0, item: 0))
        #expect(item?.payload == PublishedPayload(utf8: "<p>199</p>"))
        await feed.close()
    }

    @Test func observersForwardFailuresRejectionsAndDurations() async throws {
        let lines = Lock<[String]>([])
        let steps = Lock<Set<String>>([])
        let log = PipelineLog(
            log: { line in lines.withLock { $0.append(line) } },
            record: { step, _, _ in steps.withLock { _ = $0.insert(step) } }
        )
        let controller = DataController(dataSource: Feed(), observer: log)
        try await controller.reloadData()
        await #expect(throws: UpdateError.self) {
            try await controller.performBatchUpdates { feed, _ in feed.posts.removeAll() }
        }
        await controller.close()
        // Without a view, nodes have unlimited width, so both fail too.
        let kinds = lines.withLock { $0 }.map { line in
            ["elementFailed", "rejected"].first { line.contains(" \($0): ") } ?? line
        }
        #expect(kinds == ["elementFailed", "elementFailed", "rejected"])
        let durations = steps.withLock { $0 }
        #expect(durations.isSuperset(of: ["accepted", "measuringFinished", "deployed"]))
    }

    @Test func healthEndpointsReportTheListAndItsReaders() async throws {
        let hub = UpdateHub()
        let controller = DataController(dataSource: Feed(), view: hub)
        try await controller.reloadData()
        let text = await health(controller, hub)
        #expect(text.hasPrefix("collection: open\n"))
        let version = hub.snapshot.version
        #expect(text.contains("\nreaders: 0 of 0 have everything\nversion: \(version)"))
        await controller.close()
    }

    @Test func controllersRunOnActorLanesAndEventLoops() async throws {
        let editor = Editor(Feed())
        try await editor.load()
        try await editor.removeLast()
        #expect(await editor.count() == 1)

        let queue = DispatchQueue(label: "loop")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let lane = LoopLane(label: "loop") {
            DispatchQueue.getSpecific(key: key) == true
        } execute: { work in
            queue.async(execute: work)
        }
        let controller = DataController(dataSource: Feed(), lane: lane)
        try await controller.reloadData()
        onTheMainLane(controller)
        await controller.whenReached(.completed)
        #expect(controller.visibleMap.numberOfItems == 1)
        #expect(await controller.lane.run { lane.isCurrent } && !lane.isCurrent)
        await controller.close()
    }
}
