import CollectionPublishing
import PipelineTestSupport
import Testing

@Suite("Streams of events", .endsHangs)
struct EventStreamTests {
    /// Reads chunks until at least `count` events are complete or the stream ends.
    private func events(
        _ count: Int,
        _ iterator: inout EventStream.Iterator
    ) async throws -> [(id: String, message: WireMessage)] {
        var text = ""
        while text.components("\n\n") <= count, let chunk = try await iterator.next() {
            #expect(!chunk.isEmpty)
            text += String(decoding: chunk, as: UTF8.self)
        }
        return try text.split(separator: "\n\n").filter { !$0.hasPrefix(":") }.map { event in
            let lines = event.split(separator: "\n")
            #expect(lines.count == 2 && lines[0].hasPrefix("id: ") && lines[1].hasPrefix("data: "))
            let message = try WireMessage.decoded(from: lines[1].utf8.dropFirst(6))
            return (String(lines[0].dropFirst(4)), message)
        }
    }

    /// A reader reconnects several times with different versions and always ends at the hub's
    /// state.
    @Test(arguments: Substrate.allCases)
    func reconnectingReadersReceiveTheDifference(_ substrate: Substrate) async throws {
        let scene = PublishedScene(substrate)
        try await scene.controller.reloadData()
        var replica = CollectionReplica()
        var last: String?
        let other = PublishedVersion(handle: HistoryID(rawValue: 8), number: 1)
        for (round, id) in [nil, "last", "", "0\0é", "\(other)", "last", "-1", "last"].enumerated()
        {
            for number in 0..<round { try await scene.append("\(round).\(number)") }
            let stream = try scene.hub.events(lastEventID: id == "last" ? last : id)
            var iterator = stream.makeAsyncIterator()
            let first = try await iterator.next()
            #expect(first == Array(": connected\nretry: 1000\n\n".utf8))
            let received = try await events(1, &iterator)
            #expect(received.count == 1)
            let isUpdate = received[0].message.version != replica.version && id == "last"
            if !isUpdate { replica = CollectionReplica() }
            for (id, message) in received {
                try replica.apply(message)
                #expect(id == "\(message.version)")
                last = id
            }
            #expect(replica.version == scene.hub.snapshot.version)
            #expect(replica.state == scene.hub.snapshot.state)
        }
        // No text stops a reader, whatever bytes it was made from.
        var random = SeededGenerator(seed: 3)
        for length in 0..<200 {
            let bytes = (0..<length % 40).map { _ in UInt8(random.next(below: 256)) }
            let text = String(decoding: bytes, as: UTF8.self)
            for id in [text, "\(last ?? "")\(text)", "\(text)\(last ?? "")"] {
                var iterator = try scene.hub.events(lastEventID: id).makeAsyncIterator()
                _ = try await iterator.next()
                let received = try await events(1, &iterator)
                #expect(received.first?.message.version == replica.version, "\(bytes)")
            }
        }
        await scene.close()
    }

    @Test func largeListsAreStreamedInChunks() async throws {
        let text = String(repeating: "\"é\\\u{1}<", count: 2_000)
        let scene = PublishedScene(
            .dispatch,
            [.init(header: "h", items: Array(repeating: text, count: 20))]
        )
        try await scene.controller.reloadData()
        // Two streams at different positions within one event.
        let streams = try [scene.hub.events(), scene.hub.events(window: .rows(2, count: 15))]
        var iterators = streams.map { $0.makeAsyncIterator() }
        var chunks: [[[UInt8]]] = [[], []]
        for index in Array(repeating: [0, 1], count: 20).joined() {
            if chunks[index].last?.suffix(2) == [10, 10], chunks[index].count > 1 { continue }
            chunks[index].append(try #require(try await iterators[index].next()))
        }
        for index in 0...1 {
            #expect(chunks[index].count > 3)
            let event = String(decoding: chunks[index].dropFirst().joined(), as: UTF8.self)
            let data = try #require(event.split(separator: "\ndata: ").last)
            var replica = CollectionReplica()
            try replica.apply(try WireMessage.decoded(from: data.utf8))
            #expect(replica.state.shape.itemCounts == [index == 0 ? 20 : 15])
            #expect(replica.state.item(at: ItemPath(0, 1))?.payload == PublishedPayload(utf8: text))
        }
        try streams[1].setWindow(.rows(0, count: 3))
        #expect(throws: HubError.self) { try streams[0].setWindow(.rows(0, count: 3)) }
        #expect(throws: HubError.self) { try scene.hub.events(window: .rows(-1, count: 3)) }
        await scene.close()
    }

    /// A consumer that waits receives a heartbeat in each interval. None is kept for a consumer that
    /// does not wait.
    @Test func consumersReceiveHeartbeatsWhileTheyWait() async throws {
        // The clock is virtual, and advances only when no other work is left.
        let scene = PublishedScene(.simulated, configure: { $0.heartbeat = .seconds(5) })
        try await scene.controller.reloadData()
        for window in [nil, PublishedWindow.rows(0, count: 9)] {
            var iterator = try scene.hub.events(window: window).makeAsyncIterator()
            _ = try await iterator.next()
            let began = scene.stage.environment.now
            for (index, kind) in ["reset", "upToDate", "upToDate", "upToDate", "update"]
                .enumerated()
            {
                if index == 4 {
                    #expect(scene.stage.environment.now - began == .seconds(15))
                    try await scene.append("more")
                }
                let event = String(decoding: try #require(try await iterator.next()), as: UTF8.self)
                let start = "id: \(scene.hub.snapshot.version)\ndata: {\"\(kind)\":"
                #expect(event.hasPrefix(start) && event.hasSuffix("}\n\n"), "\(event)")
            }
        }
        await scene.close()
    }

    @Test func payloadsThatAreNotTextEndTheStreamWithAnError() async throws {
        let hub = UpdateHub()
        let board = DataController(rows: Row.self, sections: String.self, view: hub) { _ in
            PayloadNode(PublishedPayload([0xFF]))
        }
        try await board.apply(SectionedRows([("", [Row(id: 1)])]))
        await #expect(throws: WireError.self) {
            for try await _ in try hub.events() {}
        }
        await board.close()
    }

    private struct Row: Identifiable, Equatable { let id: Int }

    /// Streams that wait, streams without a reader and streams of cancelled tasks.
    @Test(arguments: Substrate.threaded)
    func everyStreamEndsWithItsListOrItsTask(_ substrate: Substrate) async throws {
        let scene = PublishedScene(substrate)
        try await scene.controller.reloadData()
        let unread = try (0..<10).map { _ in try scene.hub.events() }
        func follow(_ count: Int) -> Task<[Bool], any Error> {
            Task {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<count {
                        group.addTask {
                            var last: [UInt8] = []
                            for try await chunk in try scene.hub.events() { last = chunk }
                            return String(decoding: last, as: UTF8.self).contains(#"{"closed":"#)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
        }
        let (staying, leaving) = (follow(50), follow(50))
        while scene.hub.numberOfReaders < 110 { await Task.yield() }
        leaving.cancel()
        #expect(try await leaving.value == Array(repeating: false, count: 50))
        await scene.close()
        #expect(try await staying.value == Array(repeating: true, count: 50))
        for stream in unread {
            var chunks = 0
            for try await _ in stream { chunks += 1 }
            #expect(chunks >= 2)
        }
    }
}

extension String {
    /// Returns the number of parts between separators.
    fileprivate func components(_ separator: String) -> Int {
        split(separator: separator, omittingEmptySubsequences: false).count
    }
}

@Suite("Markup")
struct HTMLTests {
    @Test func textIsEscapedAndMarkupIsNot() {
        let text = #"<b>"Tom" & 'Jerry'</b>"#
        let escaped = "&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;"
        #expect(text.escapedHTML == escaped)
        #expect(text.dropFirst(2).escapedHTML == escaped.dropFirst(5))
        let row: HTML = "<p title=\"\(text)\">\(text)</p>"
        #expect(row.markup == "<p title=\"\(escaped)\">\(escaped)</p>")
        for isNew in [true, false] {
            let marks: HTML = "\(isNew ? "<b>" as HTML : "")\(isNew ? "<i>" : "")"
            #expect(marks.markup == (isNew ? "<b>&lt;i&gt;" : ""))
        }
        let list: HTML = "<ul>\(row)\([row, "<li>\(7)", HTML(markup: "&nbsp;")])\(true)</ul>"
        #expect(list.markup == "<ul>\(row.markup)\(row.markup)<li>7&nbsp;true</ul>")
        #expect(PublishedPayload(list) == PublishedPayload(utf8: list.markup))
        #expect(PayloadNode("<i>\("<")</i>").payload == PublishedPayload(utf8: "<i>&lt;</i>"))
    }

    /// A combining mark forms one character with a bracket.
    @Test func everyScalarIsEscapedSeparately() {
        #expect("<\u{301}&\u{301}".escapedHTML == "&lt;\u{301}&amp;\u{301}")
        for value in UInt32(0)..<0x300 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let escaped = String(Character(scalar)).escapedHTML
            switch value {
            case 0x22, 0x26, 0x27, 0x3C, 0x3E: #expect(escaped.hasPrefix("&"))
            case 9, 10, 13, 32..<127, 0xA0...: #expect(escaped == String(Character(scalar)))
            default: #expect(escaped == "\u{FFFD}")
            }
        }
    }
}
