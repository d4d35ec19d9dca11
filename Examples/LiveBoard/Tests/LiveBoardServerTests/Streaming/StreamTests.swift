import CollectionPublishing
import Foundation
import LiveBoardClient
import NIOCore
import Testing

@testable import LiveBoardServer

/// Streams as they travel, read by replicas that check every message.
@Suite(.timeLimit(.minutes(3)))
struct StreamTests {
    private var churning: ServerOptions {
        var options = TestServer.options
        options.churn = 200
        options.churnSets = 150
        return options
    }

    /// Where the list rests, everybody has it.
    private func expectEqual(_ replica: CollectionReplica, _ list: LiveList) {
        let snapshot = list.hub.snapshot
        #expect(replica.version == snapshot.version && replica.digest == snapshot.digest)
        #expect(replica.state == snapshot.state)
    }

    private func rest(_ list: LiveList, at generation: Int) async throws {
        while list.hub.snapshot.version.number < generation {
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    @Test(arguments: [[], ["accept-encoding: gzip"]])
    func everybodyConverges(fields: [String]) async throws {
        try await TestServer.run(churning) { server in
            let list = try #require(try server.board.list("churn").source)
            try await withThrowingTaskGroup(of: CollectionReplica.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        // They come at different times, into the middle of it.
                        try await Task.sleep(for: .milliseconds(60 * number))
                        return try await server.follow("/lists/churn/updates", fields) { follower in
                            try await follower.read(to: 151)
                            #expect(follower.counts["reset"] == 1)
                            let isCompressed = follower.reader.fields["content-encoding"] == "gzip"
                            #expect(isCompressed == !fields.isEmpty)
                            return follower.replica
                        }
                    }
                }
                for try await replica in group { expectEqual(replica, list) }
            }
        }
    }

    @Test func theFirstEventSaysWhoItIs() async throws {
        try await TestServer.run { server in
            try await server.follow("/lists/board/updates") { follower in
                let event = try #require(try await follower.next())
                #expect(event.type == "connection" && event.id.isEmpty)
                #expect(event.data.wholeMatch(of: /\{"connection":"[0-9a-f]{32}"\}/) != nil)
                let fields = follower.reader.fields
                #expect(follower.reader.status == 200)
                #expect(fields["content-type"] == "text/event-stream")
                #expect(
                    fields["cache-control"] == "no-store" && fields["x-accel-buffering"] == "no"
                )
                #expect(server.board.connections.count == 1)
            }
            while server.board.connections.count > 0 {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    @Test func whoComesBackIsToldTheDifference() async throws {
        try await TestServer.run { server in
            let had = try await server.follow("/lists/board/updates") { follower in
                try await follower.read(to: 1)
                return follower.replica
            }
            for number in 0..<30 {
                _ = try await server.edit(#"{"edit":"rename","id":"c1","text":"t\#(number)"}"#)
            }
            let version = try #require(had.version)
            for fields in [
                ["last-event-id: \(version)"],
                ["Last-Event-ID: \(version)", "accept-encoding: gzip"],
            ] {
                try await server.follow("/lists/board/updates", fields) { follower in
                    follower.take(had)
                    try await follower.read(to: 31)
                    #expect(follower.counts == ["update": 1])
                    expectEqual(follower.replica, server.cards)
                }
            }
            // By the query too; and who has everything is told that it has.
            let newest = server.cards.hub.snapshot.version
            try await server.follow("/lists/board/updates?from=\(newest)") { follower in
                follower.take(had)
                let event = try #require(try await follower.next())
                #expect(event.type == "connection")
                let message = try #require(try await follower.next())
                #expect(message.data.hasPrefix(#"{"upToDate":"#))
            }
        }
    }

    @Test(arguments: ["junk", "0123456789abcdef.7", "%%%", ""])
    func whoHadSomethingElseIsToldEverything(version: String) async throws {
        try await TestServer.run { server in
            try await server.follow("/lists/board/updates", ["last-event-id: \(version)"]) {
                follower in
                try await follower.read(to: 1)
                #expect(follower.counts == ["reset": 1])
            }
        }
    }

    @Test func heartbeatsComeWithTheVersion() async throws {
        var options = TestServer.options
        options.heartbeat = .milliseconds(20)
        try await TestServer.run(options) { server in
            for fields in [[], ["accept-encoding: gzip"]] {
                try await server.follow("/lists/board/updates", fields) { follower in
                    while follower.counts["upToDate", default: 0] < 3 {
                        _ = try await follower.step()
                    }
                    expectEqual(follower.replica, server.cards)
                }
            }
        }
    }

    /// Who does not read is paused at a version; then one update brings all that it missed.
    @Test(arguments: [[], ["accept-encoding: gzip"]])
    func whoDoesNotReadIsParked(fields: [String]) async throws {
        var options = churning
        options.churn = 0
        options.churnSets = 1000
        try await TestServer.run(options) { server in
            let list = try #require(try server.board.list("churn").source)
            try await server.follow("/lists/churn/updates", fields, receiveBuffer: 4096) { slow in
                try await slow.read(to: 1)
                // Meanwhile somebody else is told everything.
                try await server.follow("/lists/churn/updates") { quick in
                    try await quick.read(to: 1001)
                    expectEqual(quick.replica, list)
                }
                try await slow.read(to: 1001)
                expectEqual(slow.replica, list)
                #expect(slow.counts["reset"] == 1)
                // What the machine's buffers could not hold was not sent one by one.
                #expect(slow.counts["update", default: 0] < 900)
            }
        }
    }

    @Test func aListThatClosesSaysSo() async throws {
        try await TestServer.run { server in
            for fields in [[], ["accept-encoding: gzip"]] {
                try await server.follow(
                    "/lists/processes/updates?query=nothing-is-called-so",
                    fields
                ) {
                    follower in
                    try await follower.read { $0.version != nil }
                    await server.board.searches.close()
                    try await follower.read(until: \.isClosed)
                    #expect(try await follower.next() == nil)
                    #expect(follower.reader.hasEnded == fields.isEmpty)
                }
            }
        }
    }

    // MARK: Windows

    @Test func aWindowHasItsRowsAndCanBeMoved() async throws {
        var options = churning
        options.churnSets = 0
        try await TestServer.run(options) { server in
            let list = try #require(try server.board.list("churn").source)
            let whole = list.hub.snapshot.state
            try await server.follow("/lists/churn/updates?row=0&rows=10") { follower in
                try await follower.read { $0.version != nil }
                #expect(follower.replica.state.shape == HierarchyShape([9]))
                let place = try #require(follower.replica.place)
                #expect(place.totalItems == whole.numberOfItems && place.itemsBefore == 0)
                let target = "/lists/churn/window?connection=\(follower.connection)"
                let answer = try await server.request(
                    "POST",
                    target,
                    body: #"{"row":50,"rows":20}"#
                )
                #expect(answer.status == 204)
                try await follower.read { $0.place?.itemsBefore ?? 0 > 0 }
                let moved = try #require(follower.replica.place)
                let first = follower.replica.state.items(inSection: 0).first
                let path = ItemPath(section: moved.firstSection, item: moved.firstItem)
                #expect(first?.payload == whole.item(at: path)?.payload)
                // Around a row that it knows.
                let version = try #require(follower.replica.version)
                let anchor = #"{"anchor":3,"version":"\#(version)","before":1,"after":1}"#
                #expect(try await server.request("POST", target, body: anchor).status == 204)
                try await follower.read { $0.place?.itemsBefore == 1 }
                #expect(follower.replica.state.numberOfItems == 3)
            }
        }
    }

    /// Many see the same rows, and are written the same bytes; one of them looks elsewhere for a while.
    @Test(arguments: [[], ["accept-encoding: gzip"]])
    func windowsFollowWhatHappensInThem(fields: [String]) async throws {
        try await TestServer.run(churning) { server in
            let list = try #require(try server.board.list("churn").source)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        let target = "/lists/churn/updates?row=20&rows=60"
                        try await server.follow(target, fields) { follower in
                            try await follower.read { $0.version != nil }
                            if number == 0 {
                                let window = "/lists/churn/window?connection=\(follower.connection)"
                                for rows in [#"{"row":0,"rows":5}"#, #"{"row":20,"rows":60}"#] {
                                    _ = try await server.request("POST", window, body: rows)
                                    _ = try await follower.step()
                                }
                            }
                            try await follower.read { replica in
                                list.hub.snapshot.version.number >= 151
                                    && items(replica.state) == items(of: list, in: 20..<80)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private func items(_ state: PublishedState) -> [PublishedItem] {
        (0..<state.numberOfSections).flatMap { state.items(inSection: $0) }
    }

    /// What there is in some rows of a list, headers counted and left out.
    private func items(of list: LiveList, in rows: Range<Int>) -> [PublishedItem] {
        let state = list.hub.snapshot.state
        let all = (0..<state.numberOfSections).flatMap { section in
            [nil] + state.items(inSection: section).map(Optional.some)
        }
        return all[rows].compactMap { $0 }
    }

    @Test func windowsThatCannotBeMovedSaySo() async throws {
        try await TestServer.run { server in
            let none = String(repeating: "0", count: 32)
            let body = #"{"row":0,"rows":5}"#
            func move(_ query: String, _ body: String) async throws -> TestServer.Answer {
                try await server.request("POST", "/lists/board/window\(query)", body: body)
            }
            #expect(try await move("?connection=\(none)", body).status == 404)
            #expect(try await move("?connection=x", body).status == 400)
            #expect(try await move("", body).status == 400)
            #expect(try await move("?connection=\(none)", #"{"row":0}"#).status == 400)
            #expect(try await move("?connection=\(none)", #"{"row":-1,"rows":5}"#).status == 400)
            #expect(try await move("?connection=\(none)", #"{"row":1e30,"rows":5}"#).status == 400)
            try await server.follow("/lists/board/updates") { follower in
                try await follower.read(to: 1)
                let answer = try await move("?connection=\(follower.connection)", body)
                #expect(answer.status == 409 && answer.code == "notWindowed")
            }
        }
    }

    // MARK: Searches

    @Test func aSearchIsAListOfItsOwn() async throws {
        try await TestServer.run { server in
            try await server.follow("/lists/board/updates?query=KILL") { follower in
                try await follower.read { $0.version != nil }
                #expect(follower.rows.map(\.count) == [1])
                _ = try await server.edit(
                    #"{"edit":"add","section":"done","text":"kill two","before":null}"#
                )
                try await follower.read { $0.state.numberOfItems == 2 }
                _ = try await server.edit(#"{"edit":"remove","id":"c3"}"#)
                try await follower.read { $0.state.shape == HierarchyShape([1]) }
                #expect(follower.rows[0][0].contains("kill two"))
                #expect(server.board.searches.count == 1)
            }
            while server.board.searches.count > 0 {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    @Test func thereAreSoManySearchesAndNoMore() async throws {
        var options = TestServer.options
        options.searches = 1
        try await TestServer.run(options) { server in
            try await server.follow("/lists/board/updates?query=a") { follower in
                try await follower.read { $0.version != nil }
                let answer = try await server.request("GET", "/lists/board/updates?query=b")
                #expect(answer.status == 503 && answer.code == "tooManySearches")
            }
        }
    }

    /// A connection that has answered other requests is taken over too.
    @Test func aStreamMayFollowOtherRequests() async throws {
        try await TestServer.run { server in
            try await server.withConnection { inbound, outbound in
                let host = "host: 127.0.0.1:\(server.port)\r\n\r\n"
                try await outbound.write(ByteBuffer(string: "GET /lists HTTP/1.1\r\n\(host)"))
                var iterator = inbound.makeAsyncIterator()
                var text = ""
                while !text.hasSuffix("]") {
                    text += String(buffer: try #require(try await iterator.next()))
                }
                #expect(text.hasPrefix("HTTP/1.1 200"))
                try await outbound.write(
                    ByteBuffer(string: "GET /lists/board/updates HTTP/1.1\r\n\(host)")
                )
                var reader = EventReader()
                var events: [EventReader.Event] = []
                while events.count < 2 {
                    let buffer = try #require(try await iterator.next())
                    events += try reader.read(buffer.readableBytesView)
                }
                #expect(events[1].data.hasPrefix(#"{"reset":"#))
            }
        }
    }
}
