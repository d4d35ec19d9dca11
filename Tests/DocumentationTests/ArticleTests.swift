import CollectionReplication
import Dispatch
import Foundation
import PipelineTestSupport
import PipelineTesting
import SimulatedView
import Testing

/// What the articles of the guide say and show.
@Suite struct ArticleTests {
    @Test func everySwiftBlockStandsWholeInWhatATestRuns() throws {
        let sources = try ReadmeSource.all()
        let page = try Documents.blocks(
            of: "html",
            in: Documents.text("Examples/browser-replica/README.md")
        )
        var count = 0
        for article in try Article.all() {
            for (language, block) in Documents.blocks(in: article.text) {
                let text = "\(article.name):\n" + block.joined(separator: "\n")
                switch language {
                case "swift":
                    count += 1
                    #expect(sources.contains { $0.runs(block) }, "no test runs this of \(text)")
                case "html": #expect(page.contains(block), "it stands nowhere else: \(text)")
                case "sh", "text": break
                default: Issue.record("neither code nor commands nor a picture: \(text)")
                }
            }
        }
        #expect(count >= 15)
    }

    @Test func everyCommandIsOneThatThereIs() throws {
        let gate = try Documents.text(".ci/run")
        let readme = try Documents.text("README.md")
        let known = try KnownNames()
        var count = 0
        for article in try Article.all() {
            for command in Documents.blocks(of: "sh", in: article.text).joined() {
                count += 1
                if gate.contains("\n\(command)\n") || readme.contains("\n\(command)\n") { continue }
                // The one that takes over pictures has a test of its own.
                if command.hasPrefix("cp ") { continue }
                let start = "swift run -c release "
                #expect(command.hasPrefix(start), "\(article.name): \(command)")
                #expect(
                    known.contains(String(command.dropFirst(start.count))),
                    "\(article.name): \(command)"
                )
            }
        }
        #expect(count >= 5)
    }

    @Test func everyNameExists() throws {
        let known = try KnownNames()
        // The language's own.
        let words: Set<String> = [
            "await", "async", "public", "switch", "@nonexhaustive", "Codable", "Equatable",
            "Identifiable", "SerialExecutor",
        ]
        var count = 0
        for article in try Article.all() {
            for name in article.namesInCodeVoice.subtracting(words).sorted() {
                count += 1
                #expect(known.contains(name), "\(article.name): `\(name)` does not exist")
            }
        }
        #expect(count > 100)
    }

    @Test func namesInBlocksAndLinksAreNotReadAndOthersAre() {
        let text = "`one` and ``/Two/three``, `four(_:)`\n```swift\nfive(`six`)\n```\n| `seven` |"
        let names = Article(name: "", text: text).namesInCodeVoice
        #expect(names == ["one", "four(_:)", "seven"])
    }

    @Test func everyArticleIsListedOnTheFirstPage() throws {
        let articles = try Article.all()
        let first = try #require(articles.first { $0.name == "Guide" })
        let topics = first.text.components(separatedBy: "## Topics")[1]
        for article in articles where article.name != first.name {
            #expect(topics.contains("- <doc:\(article.name)>\n"), "\(article.name)")
        }
    }

    @Test func everyGuaranteeIsThereWithItsSuiteAndItsDeliberateBugs() throws {
        let section = try Documents.text("README.md")
            .components(separatedBy: "## What it guarantees")[1]
            .components(separatedBy: "\n## ")[0]
        let names = section.components(separatedBy: "**").enumerated()
            .filter { $0.offset % 2 == 1 }.map(\.element)
        #expect(names.count >= 18)
        let text = try Documents.text("\(Article.folder)/Guarantees.md")
        let bugs = try Documents.text("Sources/CollectionChanges/Mutant.swift")
        for name in names {
            let row = try #require(
                text.split(separator: "\n").first { $0.hasPrefix("| **\(name)** |") },
                "\(name)"
            )
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(cells.count == 4)
            let suite = cells[2].replacingOccurrences(of: "`", with: "")
            let tests = Documents.texts(below: "Tests", ending: ["/\(suite).swift"]).joined()
            #expect(tests.contains("@Suite(\"\(name)\""), "\(name) has no suite in \(suite)")
            let named = cells[3].split { "`, ".contains($0) }
            #expect(!named.isEmpty)
            for bug in named { #expect(bugs.contains("case \(bug)\n"), "\(name): \(bug)") }
        }
    }

    @Test func theBoundsAreTheDefaults() throws {
        let rows = try Documents.text("\(Article.folder)/Limits.md").split(separator: "\n")
        let (pipeline, hub) = (PipelineConfiguration(), HubConfiguration())
        let replication = ReplicationConfiguration()
        #expect(pipeline.limits == ShapeLimits(sections: 1 << 24, items: 1 << 24))
        #expect(pipeline.stallTimeout == .seconds(10))
        for (name, text) in [
            ("limits", "2²⁴ sections, 2²⁴ items"), ("stallTimeout", "10 s"),
            ("backlogLimit", "\(pipeline.backlogLimit) accepted"),
            ("unpublishedUpdates", "\(hub.unpublishedUpdates) updates"),
            ("resumableUpdates", "\(grouped(hub.resumableUpdates)) announcements"),
            ("resumableEdits", "\(grouped(hub.resumableEdits)) edits"),
            ("retainedVersions", "\(grouped(hub.retainedVersions)) versions"),
            ("retainedEdits", "\(grouped(hub.retainedEdits)) edits"),
            ("recentUpdates", "\(grouped(hub.recentUpdates)) announcements"),
            ("readerLimit", "\(grouped(hub.readerLimit)) readers"),
            ("windowRowLimit", "\(grouped(hub.windowRowLimit)) rows"),
            ("pendingRecords", "\(grouped(replication.pendingRecords)) records"),
            ("pendingBytes", "\(replication.pendingBytes >> 20) MiB"),
            ("recordByteLimit", "\(replication.recordByteLimit >> 10) KiB"),
        ] {
            let row = try #require(rows.first { $0.contains("/\(name)``") }, "\(name)")
            #expect(row.contains(text), "\(name) is not \(text)")
        }
    }

    /// A number with a comma before every three digits.
    private func grouped(_ number: Int) -> String {
        let digits = Array("\(number)")
        return digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digits[index])
        }
    }

    @Test func theCommandCopiesEveryPictureThatIsShown() throws {
        let article = try Documents.text("\(Article.folder)/TheFiveSteps.md")
        let commands = Documents.blocks(of: "sh", in: article).joined()
        let copy = try #require(commands.first { $0.hasPrefix("cp ") })
        #expect(copy.hasSuffix(" \(Article.folder)/Resources"))
        let named = copy.components(separatedBy: ["{", "}"])[1]
            .split(separator: ",").map(String.init)
        let files = Documents.files(below: "\(Article.folder)/Resources")
        #expect(files.allSatisfy { $0.pathExtension == "svg" })
        #expect(Set(named) == Set(files.map { $0.deletingPathExtension().lastPathComponent }))
        for name in named { #expect(article.contains("](\(name))"), "\(name) is not shown") }
    }

    // MARK: Samples

    @Test(.endsHangs)
    func theBatchDeploys() async throws {
        let controller = DataController(dataSource: Feed())
        try await controller.reloadData()
        try await insertAPost(controller)
        #expect(controller.visibleMap.numberOfItems == 3)
        await controller.close()
    }

    /// What is written to a connection.
    private actor Written {
        private(set) var events: [String] = []
        func write(_ event: String) { events.append(event) }
    }

    @Test(.endsHangs)
    func aStreamHasEventsWithVersionsAndResumesFromOne() async throws {
        let hub = UpdateHub()
        let feed = DataController(rows: Post.self, sections: String.self, view: hub) { post in
            PayloadNode(PublishedPayload("<p>\(post.text)</p>"))
        }
        let rows = [Post(id: 1, text: "Hello")]
        try await feed.apply(SectionedRows([("today", rows)]))
        let first = hub.snapshot.version
        try await feed.apply(SectionedRows([("today", rows + [Post(id: 2, text: "again")])]))
        await feed.close()
        #expect(try await follow(hub, from: nil).isClosed)
        for (lastEventID, kind) in [(nil, "reset"), ("\(first)", "update"), ("nonsense", "reset")] {
            let written = Written()
            try await stream(hub, lastEventID: lastEventID) { await written.write($0) }
            let events = await written.events
            let event = try #require(events.first)
            #expect(event.hasPrefix("id: \(hub.snapshot.version)\ndata: {\"\(kind)\":"), "\(event)")
            #expect(events.allSatisfy { $0.hasSuffix("}\n\n") })
            #expect(events.last?.contains("\"closed\"") == true)
        }
    }

    /// The boards of those who have led, each with its controller.
    private final class Boards: Sendable {
        let drops = Lock(0)
        let controllers = Lock<[DataController<SnapshotDataSource<SectionedRows<String, Post>>>]>([]
        )

        func make(_ snapshot: PublishedSnapshot, _ hub: UpdateHub) {
            let feed = DataController(rows: Post.self, sections: String.self, view: hub) { post in
                PayloadNode(PublishedPayload("<p>\(post.text)</p>"))
            }
            controllers.withLock { $0.append(feed) }
            Task { try await feed.apply(SectionedRows([("today", [Post(id: 1, text: "Hello")])])) }
        }

        /// Whoever leads no more ends what it led with.
        func drop() {
            drops.withLock { $0 += 1 }
            for feed in controllers.withLock({ $0 }) { Task { await feed.close() } }
        }
    }

    @Test(.endsHangs)
    func oneMemberLeadsAndTheOtherShowsWhatItPublishes() async throws {
        let broker = MemoryBroker(environment: DispatchEnvironment())
        let boards = Boards()
        let members = ["first", "second"].map { name in
            join(broker.makeLog(label: name)) {
                boards.make($0, $1)
            } dropBoard: {
                boards.drop()
            }
        }
        var versions: [PublishedVersion] = []
        for member in members {
            var replica = CollectionReplica()
            for await message in try member.hub.messages() {
                try replica.apply(message)
                let item = replica.state.item(at: ItemPath(section: 0, item: 0))
                if item?.payload == PublishedPayload("<p>Hello</p>") { break }
            }
            versions.append(try #require(replica.version))
        }
        #expect(versions[0] == versions[1])
        #expect(boards.controllers.withLock { $0.count } == 1)
        for member in members {
            await withCheckedContinuation { done in member.close { done.resume() } }
        }
        #expect(boards.drops.withLock { $0 } > 0)
    }

    @Test(.endsHangs)
    func aWindowMovesOnTheSameConnection() async throws {
        let hub = UpdateHub()
        let feed = DataController(rows: Post.self, sections: String.self, view: hub) { post in
            PayloadNode(PublishedPayload(post.text))
        }
        let rows = (0..<300).map { Post(id: $0, text: "\($0)") }
        try await feed.apply(SectionedRows([("all", rows)]))
        let replica = try await readOn(hub)
        // The header is row 0.
        #expect(replica.place?.itemsBefore == 199)
        #expect(replica.place?.totalItems == 300)
        #expect(replica.state.shape.itemCounts == [50])
        let item = replica.state.item(at: ItemPath(section: 0, item: 0))
        #expect(item?.payload == PublishedPayload("199"))
        await feed.close()
    }

    /// What an observer passed on.
    private final class Passed: Sendable {
        private let state = Lock((lines: [String](), steps: [String]()))
        var lines: [String] { state.withLock { $0.lines } }
        var steps: [String] { state.withLock { $0.steps } }
        var observer: PipelineLog {
            PipelineLog(
                log: { line in self.state.withLock { $0.lines.append(line) } },
                record: { step, _, _ in self.state.withLock { $0.steps.append(step) } }
            )
        }
    }

    @Test(.endsHangs)
    func anObserverPassesOnFailuresRejectionsAndDurations() async throws {
        let passed = Passed()
        let controller = DataController(dataSource: Feed(), observer: passed.observer)
        try await controller.reloadData()
        await #expect(throws: UpdateError.self) {
            try await controller.performBatchUpdates { feed, _ in feed.posts.removeAll() }
        }
        await controller.close()
        // Without a view nothing limits nodes of any width, so that both fail too.
        let lines = passed.lines
        #expect(lines.filter { $0.contains(" elementFailed: ") }.count == 2, "\(lines)")
        #expect(lines.filter { $0.contains(" rejected: ") }.count == 1, "\(lines)")
        #expect(lines.count == 3)
        for step in ["accepted", "measuringFinished", "deployed"] {
            #expect(passed.steps.contains(step), "\(step)")
        }
    }

    @Test(.endsHangs)
    func aHealthEndpointSaysHowListAndReadersAre() async throws {
        let hub = UpdateHub()
        let controller = DataController(dataSource: Feed(), view: hub)
        try await controller.reloadData()
        let text = await health(controller, hub)
        #expect(text.hasPrefix("collection: open\n"))
        let version = hub.snapshot.version
        #expect(text.contains("\nreaders: 0 of 0 have everything\nversion: \(version)"))
        await controller.close()
    }

    @Test(.endsHangs)
    func anActorOnTheLaneEditsWithoutWaiting() async throws {
        let editor = Editor(Feed())
        try await editor.load()
        try await editor.removeLast()
        #expect(await editor.count() == 1)
    }

    @Test(.endsHangs)
    func aControllerLivesOnALoop() async throws {
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
        await controller.reached(.completed)
        #expect(controller.visibleMap.numberOfItems == 1)
        #expect(await controller.lane.run { lane.isCurrent } && !lane.isCurrent)
        await controller.close()
    }

    @Test func postsThatCannotBeMadeAreShownAllTheSame() throws { try testPostsThatFail() }
}
