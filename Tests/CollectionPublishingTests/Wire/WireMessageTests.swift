import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPublishing

extension WireMessage {
    static func decoded(from bytes: some Sequence<UInt8>) throws -> WireMessage {
        try JSONDecoder().decode(WireMessage.self, from: Data(bytes))
    }
}

@Suite("Messages in transit")
struct WireMessageTests {
    @Test func messagesOfEachKindHaveThisJSONAndDescription() throws {
        let written = try WireSamples()
        #expect(try written.messages.map { try $0.json } == WireSamples.json)
        for (json, message) in zip(WireSamples.json, written.messages) {
            let wire = try WireMessage.decoded(from: json.utf8)
            #expect(try wire == message.wire && wire.version == message.version)
        }
        var replica = CollectionReplica()
        for message in written.messages { try replica.travel(message) }
        #expect(replica.state == written.state && replica.isClosed)
        let handle = "\(WireSamples.handle)"
        let lines = written.messages.map { "\($0)".replacing(handle, with: "h") }
        #expect(
            lines == [
                "reset, joined: 0 sections with 0 items at h.0",
                "update from h.0 to h.1: 4 edits, 0 changes in place; 4 sections with 5 items",
                "reset, forgotten: 4 sections with 5 items at h.1",
                "update from h.1 to h.2: 10 edits, 2 changes in place; 4 sections with 6 items",
                "up to date at h.2", "closed at h.2",
            ]
        )
    }

    @Test func membersOfLaterReleasesAreIgnored() throws {
        let json = #"{"closed":{"version":"0000000000c0ffee.1","why":[1]},"also":{}}"#
        let message = try WireMessage.decoded(from: json.utf8)
        #expect(message.version == PublishedVersion("0000000000c0ffee.1"))
    }

    @Test(arguments: ["{}", "[]", "null", #"{"closed":{"version":"1"}}"#, #"{"closed":{}}"#])
    func otherObjectsAreNotMessages(json: String) {
        #expect(throws: DecodingError.self) { try WireMessage.decoded(from: json.utf8) }
    }

    @Test func twoMessagesInOneObjectAreAnError() throws {
        let both = WireSamples.json[4].dropLast() + "," + WireSamples.json[5].dropFirst()
        #expect(throws: DecodingError.self) { try WireMessage.decoded(from: both.utf8) }
    }

    @Test func payloadsThatAreNotTextAreErrorsWithTheirNumber() throws {
        let bytes = PublishedPayload([0x61, 0xFF])
        for message in try WireSamples.everywhere(number: 9, payload: bytes) {
            let error = try #require(throws: WireError.self) { try message.event() }
            #expect(error.code == .notText && error.number == 9)
            #expect(error.message.contains(" 9, of 2 bytes, is not"))
        }
    }

    @Test(arguments: [0, 1 << 53, .max] as [UInt64])
    func numbersThatSomeReadersCannotRepresentAreErrors(number: UInt64) throws {
        for message in try WireSamples.everywhere(number: number, payload: nil) {
            let error = try #require(throws: WireError.self) { try message.event() }
            #expect(error.code == .outOfRange && error.number == number)
        }
    }

    @Test func invalidMessagesAreErrors() throws {
        let message = HubMessage.update(try WireSamples.update(PublishedContents()))
        let mismatch = try #require(throws: WireError.self) { try message.event() }
        #expect(mismatch.code == .mismatch)
        let negative = PublishedVersion(handle: WireSamples.handle, number: -1)
        var update = try WireSamples.update(
            PublishedContents(insertedItems: [WireSamples.item(9, nil)])
        )
        update = PublishedUpdate(
            from: negative,
            to: update.to,
            changeSet: update.changeSet,
            contents: update.contents
        )
        for message in [.closed(negative), .update(update)] as [HubMessage] {
            let error = try #require(throws: WireError.self) { try message.event() }
            #expect(error.code == .outOfRange)
        }
    }
}

extension HubMessage {
    /// The message as a client receives it.
    var wire: WireMessage {
        get throws { try WireMessage.decoded(from: written) }
    }

    /// The JSON of the message, with sorted keys.
    var json: String {
        get throws { try JSONValue(String(decoding: written, as: UTF8.self)).json }
    }

    private var written: [UInt8] {
        get throws {
            var writer = try MessageWriter(self)
            var bytes: [UInt8] = []
            while let chunk = try writer.next() { bytes += chunk }
            return bytes
        }
    }

    /// Returns the message as a server-sent event, written in chunks of at least `chunkSize` bytes.
    func event(chunkSize: Int = 1 << 20) throws -> String {
        var writer = try MessageWriter(self, isEvent: true, chunkSize: chunkSize)
        var bytes: [UInt8] = []
        while let chunk = try writer.next() {
            #expect(chunk.count >= chunkSize || writer.isAtEnd)
            bytes += chunk
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension CollectionReplica {
    /// Encodes, decodes and applies a message.
    mutating func travel(_ message: HubMessage) throws {
        let wire = try message.wire
        let lines = try message.event(chunkSize: 7).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(
            lines.count == 4 && lines[0] == "id: \(message.version)"
                && lines[1].hasPrefix("data: {")
        )
        #expect(try WireMessage.decoded(from: lines[1].utf8.dropFirst(6)) == wire)
        try apply(wire)
    }
}
