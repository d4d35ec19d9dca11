import CollectionPublishing
import Testing

@testable import LiveBoardServer

@Suite(.timeLimit(.minutes(3)))
struct LiveListTests {
    private func surroundings() -> ListSurroundings {
        var surroundings = ListSurroundings()
        surroundings.announcementInterval = .zero
        return surroundings
    }

    /// What readers have is what the state says, row by row, whatever has changed.
    @Test(arguments: 1...4) func readersHaveWhatIsShown(seed: UInt64) async throws {
        var model = ChurnModel(seed: seed, size: 60, sections: 6, edits: 12)
        let list = LiveList(name: "test", title: "Test", surroundings: surroundings())
        try await list.show(model.state)
        var replica = CollectionReplica()
        let messages = try list.hub.messages()
        let iterator = messages.makeAsyncIterator()
        for _ in 0..<100 {
            model.change()
            try await list.show(model.state)
            let target = list.hub.snapshot.version
            while replica.version != target {
                let message = try #require(await iterator.next())
                try replica.apply(try WireMessage(message))
            }
            let state = model.state
            #expect(replica.state.shape == HierarchyShape(state.rows.rows.map(\.count)))
            for (section, header) in state.headers.enumerated() {
                #expect(
                    replica.state.section(at: section)?.payload == PublishedPayload(header.html)
                )
                #expect(
                    replica.state.items(inSection: section).map(\.payload)
                        == state.rows.rows[section].map { PublishedPayload($0.html) }
                )
            }
            #expect(try await list.snapshotText().hasSuffix(#""map":"equal"}"#))
        }
        await list.controller.close()
    }

    /// A row that stays keeps its number; one that shows the same is not told again.
    @Test func onlyWhatChangedIsTold() async throws {
        func state(_ texts: [String]) -> ListState {
            let rows = texts.enumerated().map { ListRow(id: "r\($0)", content: .card($1)) }
            let header = ListHeader(list: "t", id: "s", title: "S", count: rows.count)
            return ListState([(header, rows)])
        }
        let list = LiveList(name: "test", title: "Test", surroundings: surroundings())
        try await list.show(state(["a", "b", "c"]))
        let messages = try list.hub.messages(policy: .individually(limit: 9))
        let iterator = messages.makeAsyncIterator()
        _ = await iterator.next()
        try await list.show(state(["a", "B", "c"]))
        let message = await iterator.next()
        guard case .update(let update)? = message else {
            Issue.record("an update must come, but \(String(describing: message)) did")
            return
        }
        #expect(update.changeSet.edits.isEmpty && update.contents.changedItems.count == 1)
        #expect(update.contents.changedSections.isEmpty)
        // Nothing at all where nothing is different.
        let generation = list.controller.pendingMap.generation
        try await list.show(state(["a", "B", "c"]))
        #expect(list.controller.pendingMap.generation == generation)
        await list.controller.close()
    }

    @Test func searchesShareAListAndLeaveIt() async throws {
        let base = LiveList(name: "test", title: "Test", surroundings: surroundings())
        var model = ChurnModel(seed: 9, size: 40, sections: 4)
        try await base.show(model.state)
        let searches = SearchLists(
            surroundings: surroundings(),
            limit: 2,
            linger: .milliseconds(20)
        )
        let query = try #require(SearchQuery("1 row"))
        var first: SearchLease? = try searches.join(base, query)
        let second = try searches.join(base, try #require(SearchQuery("ROW  1")))
        #expect(first?.list === second.list && searches.count == 1)
        let other = try searches.join(base, try #require(SearchQuery("2")))
        #expect(throws: RequestFault.tooManySearches(2)) {
            try searches.join(base, try #require(SearchQuery("3")))
        }
        for _ in 0..<20 {
            model.change()
            try await base.show(model.state)
        }
        // The newest state is searched in the end.
        while second.list.state != model.state.filtered(by: query) {
            try await Task.sleep(for: .milliseconds(1))
        }
        first = nil
        withExtendedLifetime((second, other)) {}
        await searches.close()
        #expect(searches.count == 0)
    }

    @Test func aSearchGoesSomeTimeAfterItsLastReader() async throws {
        let base = LiveList(name: "test", title: "Test", surroundings: surroundings())
        try await base.show(ChurnModel(seed: 1).state)
        let searches = SearchLists(surroundings: surroundings(), linger: .milliseconds(30))
        let query = try #require(SearchQuery("r1"))
        var lease: SearchLease? = try searches.join(base, query)
        let list = lease?.list
        lease = nil
        // Back in time: the same list.
        lease = try searches.join(base, query)
        #expect(lease?.list === list)
        try await Task.sleep(for: .milliseconds(60))
        #expect(searches.count == 1)
        lease = nil
        while searches.count > 0 { try await Task.sleep(for: .milliseconds(1)) }
        let error = await #expect(throws: UpdateError.self) {
            try await list?.controller.reloadData()
        }
        #expect(error?.code == .closed)
    }
}
