import CollectionPublishing
import Foundation
import Testing

@testable import LiveBoardServer

/// Event streams, read by replicas that check every message.
@Suite(.timeLimit(.minutes(3)))
struct StreamTests {
    private func expectEqual(_ replica: CollectionReplica, _ list: any ServedList) {
        let snapshot = list.streams.hub.snapshot
        #expect(replica.version == snapshot.version && replica.digest == snapshot.digest)
        #expect(replica.state == snapshot.state)
    }

    /// Makes random edits of the board.
    private func edit(_ server: TestServer, times: Int, seed: UInt64) async throws {
        var (state, added) = (seed, ["c1", "c2", "c3"])
        func number(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        for turn in 0..<times {
            let card = added[number(below: added.count)]
            let section = ["todo", "doing", "done"][number(below: 3)]
            let edit: BoardEdit =
                switch number(below: 5) {
                case 0...1: .add(section: section, text: "\(seed) <\(turn)>", before: nil)
                case 2: .move(id: card, section: section, before: nil)
                case 3: .rename(id: card, text: "\(seed) & \(turn)")
                default: .remove(id: card)
                }
            do {
                added.append(try await server.cards.make(edit).id)
            } catch is RequestFault {
                // The card is gone.
            }
        }
    }

    /// Readers of the whole list and of windows join during many edits, and end with equal states.
    @Test func everyReaderConverges() async throws {
        var options = TestServer.options
        options.heartbeat = .milliseconds(50)
        try await TestServer.run(options) { server in
            let list = try server.cards
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 1...4 {
                    group.addTask { try await edit(server, times: 150, seed: UInt64(seed)) }
                }
                for number in 0..<6 {
                    group.addTask {
                        try await Task.sleep(for: .milliseconds(20 * number))
                        try await server.follow { follower in
                            try await follower.read {
                                $0.state.rows.contains { $0.contains(">end<") }
                            }
                            expectEqual(follower.replica, list)
                            #expect(follower.counts["reset"] == 1)
                        }
                    }
                }
                group.addTask {
                    try await server.follow("/lists/board/updates?row=2&rows=20") { follower in
                        try await follower.read { replica in
                            list.streams.hub.snapshot.state.rows.contains { $0.contains(">end<") }
                                && items(replica.state) == items(of: list, in: 2..<22)
                        }
                    }
                }
                for _ in 1...4 { try await group.next() }
                try await Task.sleep(for: .milliseconds(50))
                _ = try await server.cards.make(.add(section: "todo", text: "end", before: nil))
                try await group.waitForAll()
            }
        }
    }

    private func items(_ state: PublishedState) -> [PublishedItem] {
        (0..<state.numberOfSections).flatMap { state.items(inSection: $0) }
    }

    /// Returns the items in some rows of a list; headers are rows too.
    private func items(of list: any ServedList, in rows: Range<Int>) -> [PublishedItem] {
        let state = list.streams.hub.snapshot.state
        let all = (0..<state.numberOfSections).flatMap { section in
            [nil] + state.items(inSection: section).map(Optional.some)
        }
        return all[rows.clamped(to: all.indices)].compactMap { $0 }
    }

    @Test func aReconnectedReaderReceivesTheUpdatesThatItMissed() async throws {
        var options = TestServer.options
        options.heartbeat = .milliseconds(20)
        try await TestServer.run(options) { server in
            let had = try await server.follow { follower in
                try await follower.read { $0.version != nil }
                #expect(follower.parser.answer.status == 200)
                let fields = follower.parser.answer.fields
                #expect(fields["content-type"] == "text/event-stream")
                #expect(fields["cache-control"] == "no-store")
                #expect(follower.connection.count == 36)
                return follower.replica
            }
            for number in 0..<30 { _ = try await server.rename("t\(number)") }
            let version = try #require(had.version)
            for (target, fields) in [
                ("/lists/board/updates", ["last-event-id: \(version)"]),
                ("/lists/board/updates?from=\(version)", []),
            ] {
                try await server.follow(target, fields, from: had) { follower in
                    try await follower.read { $0.version?.number == 31 }
                    #expect(follower.counts["update"] == 1 && follower.counts["reset"] == nil)
                    expectEqual(follower.replica, try server.cards)
                    // An up-to-date reader receives a heartbeat at intervals.
                    while follower.counts["upToDate", default: 0] < 3 {
                        _ = try await follower.step()
                    }
                }
            }
            for text in ["junk", "0123456789abcdef.7", "%%%", "", "00c0ffee00c0ffee.-1"] {
                try await server.follow("/lists/board/updates", ["last-event-id: \(text)"]) {
                    follower in
                    try await follower.read { $0.version?.number == 31 }
                    #expect(follower.counts["reset"] == 1)
                }
            }
            // The list forgets closed connections.
            while try server.cards.streams.count > 0 {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    /// A slow reader later receives one update with everything that it missed.
    @Test func aSlowReaderReceivesOneUpdateLater() async throws {
        try await TestServer.run { server in
            let text = String(repeating: "x", count: 480)
            try await server.follow(receiveBuffer: 4096) { slow in
                try await slow.read { $0.version != nil }
                for number in 0..<1500 {
                    let edit = BoardEdit.rename(id: "c1", text: "\(number) \(text)")
                    _ = try await server.cards.make(edit)
                }
                try await slow.read { $0.version?.number == 1501 }
                expectEqual(slow.replica, try server.cards)
                #expect(slow.counts["reset"] == 1)
                // The buffers of the two kernels and of the client hold the rest.
                #expect(slow.counts["update", default: 0] < 1000, "\(slow.counts)")
            }
        }
    }

    @Test func aReaderThatReadsNothingLosesItsConnection() async throws {
        var options = TestServer.options
        options.writeTimeout = .milliseconds(200)
        try await TestServer.run(options) { server in
            let streams = try server.cards.streams
            let silent = try RawConnection(to: server.port, largeAnswers[1])
            while streams.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
            var number = 0
            while streams.count > 0 {
                number += 1
                let text = String(repeating: "y", count: 400) + "\(number)"
                _ = try await server.cards.make(.rename(id: "c1", text: text))
            }
            silent.close()
        }
    }

    @Test(arguments: [
        "", "GET /li", "GET /lists HTTP/1.1\r\nhost: localhost\r\n",
        "POST /lists/board/edits HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{",
    ])
    func aRequestThatNeverEndsLosesItsConnection(text: String) async throws {
        var options = TestServer.options
        options.idleTimeout = .milliseconds(100)
        try await TestServer.run(options) { server in
            // The call returns when the server closes the connection.
            _ = try? await server.exchange(text)
        }
    }

    @Test func aWindowHasItsRowsAndCanBeMoved() async throws {
        try await TestServer.run { server in
            for number in 0..<40 { _ = try await server.add("row \(number)") }
            let whole = try server.cards.streams.hub.snapshot.state
            try await server.follow("/lists/board/updates?row=0&rows=10") { follower in
                try await follower.read { $0.version != nil }
                #expect(follower.replica.state.shape == HierarchyShape([9]))
                let place = try #require(follower.replica.place)
                #expect(place.totalItems == whole.numberOfItems && place.itemsBefore == 0)
                let target = "/lists/board/window?connection=\(follower.connection)"
                let rows = #"{"row":20,"rows":8}"#
                #expect(try await server.request("POST", target, body: rows).status == 204)
                try await follower.read { $0.place?.itemsBefore == 19 }
                #expect(
                    follower.replica.state.items(inSection: 0).first?.payload
                        == whole.item(at: ItemPath(section: 0, item: 19))?.payload
                )
                // Another list knows neither the connection nor its rows.
                let foreign = target.replacing("board", with: "processes")
                let refused = try await server.request("POST", foreign, body: rows)
                #expect(refused.status == 404 && refused.code == "notFound")
                // A window around a row that the reader knows.
                let version = try #require(follower.replica.version)
                let anchor = #"{"anchor":3,"version":"\#(version)","before":1,"after":1}"#
                #expect(try await server.request("POST", target, body: anchor).status == 204)
                try await follower.read { $0.place?.itemsBefore == 1 }
                #expect(follower.replica.state.numberOfItems == 3)
            }
            try await server.follow { follower in
                try await follower.read { $0.version != nil }
                let target = "/lists/board/window?connection=\(follower.connection)"
                let body = #"{"row":0,"rows":5}"#
                let answer = try await server.request("POST", target, body: body)
                #expect(answer.status == 409 && answer.code == "notWindowed")
            }
        }
    }

    /// The shutdown also ends connections with unread responses and incomplete requests.
    @Test func aGracefulShutdownEndsConnectionsAndClosesLists() async throws {
        var options = TestServer.options
        options.shutdownTimeout = .milliseconds(500)
        (options.idleTimeout, options.writeTimeout) = (.seconds(3600), .seconds(3600))
        let server = try await TestServer.start(options)
        try await server.fill(cards: 3000)
        let lists = server.board.lists
        // Connections with responses that are not read, and an incomplete request.
        let requests = largeAnswers + ["POST /lists/board/edits\(local)content-length: 9\r\n\r\n{"]
        let silent = try requests.map { try RawConnection(to: server.port, $0) }
        async let followed: Void = server.follow("/lists/processes/updates") { follower in
            while try await follower.step() {}
        }
        while lists.contains(where: { $0.streams.count == 0 }) || server.board.unsent.total == 0 {
            try await Task.sleep(for: .milliseconds(1))
        }
        let editing = Task {
            while !Task.isCancelled {
                let edit = BoardEdit.add(section: "todo", text: "more", before: nil)
                _ = try? await server.cards.make(edit)
            }
        }
        try await Task.sleep(for: .milliseconds(200))
        try await server.stop()
        editing.cancel()
        _ = try? await followed
        for connection in silent { connection.close() }
        for list in lists {
            #expect(list.streams.count == 0)
            let error = await #expect(throws: UpdateError.self) {
                try await list.source?.controller.reloadData()
            }
            #expect(error?.code == .closed)
        }
    }
}
