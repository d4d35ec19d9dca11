import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import CollectionPublishing
@testable import PipelineTesting

/// What the hub of a run says of readers who have what was shown, and of those who have something else.
@Suite("What readers have against what was shown", .endsHangs)
struct SimulatedHubTests {
    /// What items show by now, whatever they showed when they were rendered.
    private final class Texts: @unchecked Sendable {  // one thread
        var now: [Int: String] = [:]
    }

    private final class TextNode: PublishedNode {
        private let id: Int
        private let texts: Texts

        init(_ id: Int, _ texts: Texts) { (self.id, self.texts) = (id, texts) }

        var payload: PublishedPayload? { PublishedPayload(texts.now[id] ?? "\(id)") }
        /// As wide as what it shows.
        func measure(in range: SizeRange) -> Size {
            Size(width: Double(payload?.bytes.count ?? 0), height: 1)
        }
    }

    private final class Rows: CollectionDataSource {
        var sections: [[Int]]
        private let texts: Texts

        init(_ sections: [[Int]], _ texts: Texts) {
            (self.sections, self.texts) = (sections, texts)
        }

        func numberOfSections() -> Int { sections.count }
        func numberOfItems(inSection section: Int) -> Int { sections[section].count }
        func model(forItemAt path: ItemPath) -> (any Sendable)? {
            sections[path.section][path.item]
        }
        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
            let id = sections[path.section][path.item]
            return { [texts] in TextNode(id, texts) }
        }
    }

    /// Shows every update at once, and tells the hub before.
    private final class TellingView: CollectionView, @unchecked Sendable {  // one thread
        let hub: SimulatedHub
        init(_ hub: SimulatedHub) { self.hub = hub }
        func attach(to lane: any Lane) {}
        var elementSizeRange: SizeRange { .width(10) }
        var firstVisiblePath: ItemPath? { nil }
        func perform(_ update: ViewUpdate) {
            if update.deploy({ hub.shown($0) }) { update.finish() }
        }
    }

    /// A hub that was told of the updates of a list.
    private final class Published: @unchecked Sendable {  // one thread
        let run: SimulatedRun
        let hub: SimulatedHub
        let texts = Texts()
        private let view: TellingView
        private let lane: any Lane
        let controller: DataController<Rows>

        init(_ sections: [[Int]]) {
            var plan = RunPlan(seed: 1)
            (plan.strategy, plan.faults) = (.inOrder, [])
            run = SimulatedRun(plan, keepsTrace: false)
            hub = SimulatedHub(run)
            view = TellingView(hub)
            lane = run.simulation.makeLane(label: "published")
            nonisolated(unsafe) let rows = Rows(sections, texts)
            controller = DataController(
                dataSource: rows,
                view: view,
                lane: lane,
                environment: run.simulation.environment
            )
            update { _, _ in }
        }

        func update(_ body: @escaping @Sendable (Rows, inout BatchRecorder) -> Void) {
            controller.enqueueBatchUpdates(body) { _ in }
            run.simulation.run()
        }

        func relayout(_ paths: [ItemPath]) {
            lane.enqueue { [controller] in
                _ = try? controller.assumeIsolated().relayoutItems(at: paths, completion: nil)
            }
            run.simulation.run()
        }

        /// What is noted since it was asked last, without whom it is about.
        var noted: [String] {
            defer { run.violations = [] }
            return run.violations.map(\.description)
        }

        var newest: SimulatedHub.Shown { hub.shown[hub.newestShown]! }

        private static func text(_ payload: PublishedPayload) -> String {
            String(decoding: payload.bytes, as: UTF8.self)
        }

        /// The texts of what was shown last.
        var shownTexts: [[String]] {
            newest.sections.map { $0.map { $0.payload.map(Self.text) ?? "none" } }
        }
    }

    /// A replica of items by their numbers, each of which shows its number unless `texts` has another.
    private static func replica(
        _ sections: [[Int]],
        at version: Int,
        place: WindowPlace? = nil,
        texts: [Int: String] = [:]
    ) throws -> CollectionReplica {
        let fresh = sections.enumerated().map { index, items in
            PublishedContents.FreshSection(
                section: PublishedSection(number: UInt64(index + 1), payload: nil),
                items: items.map {
                    PublishedItem(
                        number: UInt64($0),
                        payload: PublishedPayload(texts[$0] ?? "\($0)")
                    )
                }
            )
        }
        let state = PublishedState(fresh, shape: HierarchyShape(sections.map(\.count)))
        let snapshot = PublishedSnapshot(
            version: PublishedVersion(handle: HistoryHandle(rawValue: 0xB0A4D), number: version),
            state: state,
            digest: state.digest,
            place: place
        )
        var replica = CollectionReplica()
        try replica.apply(.reset(snapshot, .joined))
        return replica
    }

    // MARK: What was shown

    @Test func nothingIsShownAtFirst() {
        let run = SimulatedRun(RunPlan(seed: 1), keepsTrace: false)
        let hub = SimulatedHub(run)
        #expect(hub.newestShown == 0)
        #expect(hub.shown[0]?.sections.isEmpty == true && hub.shown[0]?.isReload == true)
        #expect([hub.takeNumber(), hub.takeNumber()] == [1, 2])
    }

    /// An item shows what it did, whatever its node would say by now, until an update names it.
    @Test func itemsShowWhatTheyDidUntilTheyAreNamed() {
        let published = Published([[1, 2], [3]])
        #expect(published.shownTexts == [["1", "2"], ["3"]])
        published.texts.now = [1: "one", 2: "two", 3: "three", 4: "four"]
        published.update { rows, changes in
            rows.sections[0].insert(4, at: 1)
            changes.insertItems(at: [ItemPath(0, 1)])
        }
        #expect(published.shownTexts == [["1", "four", "2"], ["3"]])
        #expect(published.hub.newestShown == published.controller.visibleMap.generation)
        published.update { _, changes in changes.reconfigureItems(at: [ItemPath(0, 2)]) }
        #expect(published.shownTexts == [["1", "four", "two"], ["3"]])
        published.relayout([ItemPath(1, 0)])
        #expect(published.shownTexts == [["1", "four", "two"], ["three"]])
        published.update { _, changes in changes.reloadData() }
        #expect(published.shownTexts == [["one", "four", "two"], ["three"]])
        #expect(published.newest.isReload)
        #expect(published.noted == [])
    }

    // MARK: What readers have

    @Test func whoHasWhatWasShownIsRight() throws {
        let published = Published([[1, 2], [], [3]])
        published.hub.check(try Self.replica([[1, 2], [], [3]], at: 1), "a message")
        #expect(published.noted == [])
    }

    @Test func whoHasSomethingElseIsNoted() throws {
        let published = Published([[1, 2], [], [3]])
        let hub = published.hub
        hub.check(CollectionReplica(), "a message")
        #expect(
            published.noted == [
                "Converges: hub: a message leads to a version that was never shown"
            ]
        )
        hub.check(try Self.replica([[1, 2], [], [3]], at: 2), "a message")
        #expect(
            published.noted == [
                "Converges: hub: a message leads to a version that was never shown"
            ]
        )
        hub.check(try Self.replica([[1, 2], [3], []], at: 1), "a message")
        let shapes = published.noted
        #expect(shapes.count == 1)
        #expect(shapes.first?.hasPrefix("Converges: hub: a message leads to ") == true)
        hub.check(try Self.replica([[1, 2], [], [3]], at: 1, texts: [2: "other"]), "a message")
        #expect(
            published.noted == [
                "Converges: hub: a message leads to another payload of item 2"
            ]
        )
    }

    /// A number is that of one item for ever, whichever message brought it.
    @Test func aNumberIsOfOneItemForEver() throws {
        let published = Published([[1, 2]])
        published.texts.now = [1: "same", 2: "same"]
        published.update { _, changes in
            changes.reconfigureItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        }
        let texts = [1: "same", 2: "same", 3: "same"]
        published.hub.check(try Self.replica([[1, 2]], at: 2, texts: texts), "one")
        published.hub.check(try Self.replica([[1, 2]], at: 2, texts: texts), "one")
        #expect(published.noted == [])
        published.hub.check(try Self.replica([[2, 1]], at: 2, texts: texts), "another")
        #expect(
            published.noted == [
                "Converges: hub: another gives number 2 to another item",
                "Converges: hub: another gives number 1 to another item",
            ]
        )
    }

    // MARK: Windows

    private static let list = [[1, 2], [], [3, 4, 5], [6]]

    private struct Window {
        let place: WindowPlace
        let sections: [[Int]]
    }

    /// All parts of the list that windows can have: consecutive sections, of which the first may lack items before,
    /// and the last items behind.
    private static var windows: [Window] {
        var windows: [Window] = []
        for first in list.indices {
            for end in (first + 1)...list.count {
                for firstItem in 0...list[first].count {
                    var sections = Array(list[first..<end])
                    sections[0].removeFirst(firstItem)
                    let last = sections.count - 1
                    for count in 0...sections[last].count {
                        var part = sections
                        part[last] = Array(part[last].prefix(count))
                        let before = list[..<first].joined().count + firstItem
                        let place = WindowPlace(
                            totalSections: list.count,
                            totalItems: list.joined().count,
                            firstSection: first,
                            firstItem: firstItem,
                            itemsBefore: before
                        )
                        windows.append(Window(place: place, sections: part))
                    }
                }
            }
        }
        return windows
    }

    @Test func everyWindowOfWhatWasShownIsRight() throws {
        let published = Published(Self.list)
        for window in Self.windows {
            let replica = try Self.replica(window.sections, at: 1, place: window.place)
            published.hub.check(replica, "a window")
            published.hub.checkAtRest(replica, in: published.newest, "a window")
            #expect(published.noted == [], "\(window)")
        }
        #expect(Self.windows.count > 50)
    }

    @Test func aWindowOfOtherPayloadsIsNoted() throws {
        let published = Published(Self.list)
        for window in Self.windows {
            for id in window.sections.joined() {
                let replica = try Self.replica(
                    window.sections,
                    at: 1,
                    place: window.place,
                    texts: [id: "other"]
                )
                published.hub.check(replica, "a window")
                let expected = "Converges: hub: a window leads to another payload of item \(id)"
                #expect(published.noted == [expected], "\(window)")
                published.hub.checkAtRest(replica, in: published.newest, "a window")
                #expect(published.noted == [expected], "\(window) at rest")
            }
        }
    }

    /// A window that is said to be elsewhere in the list, but could be there.
    @Test func aWindowElsewhereIsNoted() throws {
        let published = Published(Self.list)
        var count = 0
        for window in Self.windows where !window.sections.joined().isEmpty {
            let place = window.place
            for step in [-1, 1] {
                let other = WindowPlace(
                    totalSections: place.totalSections,
                    totalItems: place.totalItems,
                    firstSection: place.firstSection,
                    firstItem: place.firstItem,
                    itemsBefore: place.itemsBefore + step
                )
                // Some can be nowhere, which no replica takes in.
                guard let replica = try? Self.replica(window.sections, at: 1, place: other) else {
                    continue
                }
                published.hub.check(replica, "a window")
                let noted = published.noted
                #expect(noted.count == 1, "\(window)")
                #expect(noted.first?.hasPrefix("Converges: hub: a window leads to ") == true)
                count += 1
            }
        }
        #expect(count > 10)
    }

    @Test func aWindowOfNothingMayBeAnywhereBetweenItems() throws {
        let published = Published(Self.list)
        for before in 0...6 {
            let place = WindowPlace(
                totalSections: 4,
                totalItems: 6,
                firstSection: 2,
                firstItem: 0,
                itemsBefore: before
            )
            published.hub.check(try Self.replica([], at: 1, place: place), "a window")
            #expect(published.noted == [], "\(before)")
        }
    }

    /// At rest a window has items side by side as they are there, wherever that is.
    @Test func aWindowAtRestOfWhatIsGoneIsNoted() throws {
        let published = Published(Self.list)
        let hub = published.hub
        hub.check(try Self.replica(Self.list, at: 1), "all")
        let gone = "Converges: hub: a window has what is not shown any more"
        for sections in [[[2, 3]], [[1, 2, 3]], [[5], [6, 1]], [[], [1, 2]]] {
            let place = WindowPlace(
                totalSections: 4,
                totalItems: 6,
                firstSection: 0,
                firstItem: 0,
                itemsBefore: 0
            )
            let replica = try Self.replica(sections, at: 1, place: place)
            hub.checkAtRest(replica, in: published.newest, "a window")
            #expect(published.noted == [gone], "\(sections)")
        }
        published.update { rows, changes in
            rows.sections[0].removeFirst()
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        let replica = try Self.replica([[1]], at: 1)
        hub.checkAtRest(replica, in: published.newest, "a window")
        #expect(published.noted == [gone])
        // A number that nobody was given is not looked for.
        hub.checkAtRest(try Self.replica([[99]], at: 1), in: published.newest, "a window")
        #expect(published.noted == [])
    }
}
