import CollectionPipeline
import CollectionPublishing
import PipelineTestSupport
import Testing

@Suite("Windows of a published list", .endsHangs)
struct WindowedHubTests {
    private static let rows = (0..<100).map { "\($0)" }

    private func scene(
        _ substrate: Substrate = .simulated,
        configure: (inout HubConfiguration) -> Void = { _ in }
    ) async throws -> PublishedScene {
        let sections = [TextBoard.Section(header: "all", items: Self.rows)]
        let scene = PublishedScene(substrate, sections, configure: configure)
        try await scene.controller.reloadData()
        return scene
    }

    private func insert(_ text: String, at item: Int, _ scene: PublishedScene) async throws {
        try await scene.edit { board, changes in
            board.sections[0].items.insert(text, at: item)
            changes.insertItems(at: [ItemPath(0, item)])
        }
    }

    private func delete(_ items: Range<Int>, _ scene: PublishedScene) async throws {
        try await scene.edit { board, changes in
            board.sections[0].items.removeSubrange(items)
            changes.deleteItems(at: items.map { ItemPath(0, $0) })
        }
    }

    @Test func rowsOfAWindowReferToTheirVersion() async throws {
        let scene = try await scene { $0.resumableUpdateLimit = 2 }
        let reader = ReplicaReader()
        let token = try reader.read(scene.hub, window: .around(row: 11, before: 0, after: 0))
        _ = await reader.messages.values(count: 1)
        let firstVersion = try #require(reader.replica.version)
        try await insert("x", at: 0, scene)
        try token.setWindow(.around(row: 21, at: firstVersion, before: 0, after: 2))
        await scene.settle()
        #expect(reader.texts == [["20", "21", "22"]])
        // This also works if the version is forgotten, as long as the reader received it last.
        let before = try #require(reader.replica.version)
        for number in 0..<5 { try await insert("y\(number)", at: 0, scene) }
        #expect(reader.replica.version == before)
        try token.setWindow(.around(row: 23, at: before, before: 0, after: 0))
        await scene.settle()
        #expect(reader.texts == [["21"]])
        // The position of a row that the reader did not see is unknown.
        let later = try #require(reader.replica.version)
        for number in 0..<5 { try await insert("z\(number)", at: 0, scene) }
        try token.setWindow(.around(row: 50, at: later, before: 0, after: 0))
        await scene.settle()
        #expect(reader.texts == [["38"]])
        // Nothing is known about another history.
        let foreign = PublishedVersion(handle: HistoryID(rawValue: 1), number: 1)
        try token.setWindow(.around(row: 7, at: foreign, before: 0, after: 0))
        await scene.settle()
        #expect(reader.texts == [["y3"]])
        await scene.close()
        #expect(reader.errors == [])
        withExtendedLifetime(token) {}
    }

    @Test func readersOfAForgottenVersionKeepTheirPlace() async throws {
        let scene = try await scene {
            $0.resumableUpdateLimit = 0
            $0.retainedVersionLimit = 0
        }
        let reader = ReplicaReader(room: 1)
        let token = try reader.read(scene.hub, window: .around(row: 11, before: 0, after: 0))
        _ = await reader.messages.values(count: 1)
        for number in 0..<3 { try await insert("\(number)", at: 0, scene) }
        reader.makeRoom(.max)
        token.resume()
        let messages = await reader.messages.values(count: 2)
        #expect(messages.map(\.words) == ["reset 1 joined", "reset 4 forgotten"])
        #expect(reader.texts == [["7"]] && reader.errors == [])
        await scene.close()
    }

    @Test func windowsStayInAReloadedSection() async throws {
        let scene = try await scene()
        let reader = ReplicaReader()
        let token = try reader.read(scene.hub, window: .around(row: 51, before: 0, after: 0))
        _ = await reader.messages.values(count: 1)
        try await scene.edit { board, changes in
            board.sections[0].items = (0..<80).map { "new \($0)" }
            changes.reloadSections([0])
        }
        #expect(reader.texts == [["new 50"]])
        try await scene.edit { board, changes in
            board.sections[0].items = (0..<10).map { "newer \($0)" }
            changes.reloadSections([0])
        }
        #expect(reader.texts == [["newer 9"]])
        try await scene.edit { board, changes in
            board.sections[0].items = []
            changes.reloadSections([0])
        }
        #expect(reader.replica.state.headers == ["all"] && reader.texts == [[]])
        #expect(reader.errors == [])
        await scene.close()
        withExtendedLifetime(token) {}
    }

    @Test func windowChangesAtTheWrongTimeAreIgnored() async throws {
        let scene = try await scene()
        let reader = ReplicaReader()
        let token = try reader.read(scene.hub, window: .rows(0, count: 2))
        // Before the first message, this becomes the initial window.
        try token.setWindow(.around(row: 3, before: 0, after: 1))
        await scene.settle()
        #expect(reader.texts == [["2", "3"]])
        token.leave()
        try token.setWindow(.rows(0, count: 1))
        try await insert("x", at: 0, scene)
        #expect(reader.texts == [["2", "3"]] && reader.messages.count <= 2)
        let second = ReplicaReader()
        let other = try second.read(scene.hub, window: .rows(0, count: 2))
        await scene.close()
        await scene.settle()
        try other.setWindow(.rows(5, count: 2))
        await scene.settle()
        #expect(second.replica.isClosed && second.texts == [["x"]] && second.errors == [])
    }

    @Test func invalidWindowsAreRejected() async throws {
        let scene = try await scene { $0.windowRowLimit = 100 }
        let reader = ReplicaReader()
        let windows: [PublishedWindow] = [
            .rows(-1, count: 1), .rows(0, count: -1), .rows(0, count: 101),
            .rows(.min, count: .max),
            .around(row: -1, before: 0, after: 0), .around(row: 0, before: -1, after: 0),
            .around(row: 0, before: 0, after: -1), .around(row: 0, before: 50, after: 50),
            .around(row: .max, before: .max, after: .max), .around(row: 0, before: .max, after: 0),
            .around(row: 0, before: .min, after: .min),
        ]
        let token = try reader.read(scene.hub, window: .rows(.max, count: 100))
        for window in windows {
            let joining = #expect(throws: HubError.self) {
                _ = try reader.read(scene.hub, window: window)
            }
            #expect(joining?.code == .invalidWindow, "\(window)")
            let moving = #expect(throws: HubError.self) { try token.setWindow(window) }
            #expect(moving?.code == .invalidWindow, "\(window)")
        }
        await scene.settle()
        #expect(scene.hub.numberOfReaders == 1)
        #expect(reader.texts == [] && reader.replica.place?.itemsBefore == 100)
        try token.setWindow(.around(row: .max, at: scene.version(.min), before: 3, after: 96))
        await scene.settle()
        #expect(reader.texts == [["96", "97", "98", "99"]] && reader.errors == [])
        let whole = ReplicaReader()
        let other = try whole.read(scene.hub)
        let error = #expect(throws: HubError.self) { try other.setWindow(.rows(0, count: 1)) }
        #expect(error?.code == .notWindowed)
        await scene.close()
    }

    @Test func messageSequencesCanHaveAWindow() async throws {
        let scene = try await scene()
        let messages = try scene.hub.messages(window: .rows(1, count: 2))
        var replica = CollectionReplica()
        let iterator = messages.makeAsyncIterator()
        let first = try #require(await iterator.next())
        #expect("\(first)".hasSuffix(", of 1 section with 100 items"))
        try replica.apply(first)
        #expect(replica.state.texts == [["0", "1"]])
        try messages.setWindow(.rows(5, count: 2))
        try replica.apply(try #require(await iterator.next()))
        #expect(replica.state.texts == [["4", "5"]])
        #expect(throws: HubError.self) { try messages.setWindow(.rows(5, count: -2)) }
        await scene.close()
        try replica.apply(try #require(await iterator.next()))
        #expect(replica.isClosed)
        #expect(await iterator.next() == nil)
    }
}

extension ReplicaReader {
    /// Joins `hub` with a window and applies its messages.
    func read(_ hub: UpdateHub, window: PublishedWindow) throws -> HubReader {
        try hub.addReader(window: window) { self.take($0) }
    }
}

extension PublishedScene {
    /// Returns when the hub has processed all earlier calls.
    fileprivate func settle() async { _ = await hub.report() }
}
