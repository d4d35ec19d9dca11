import CollectionPublishing
import NIOCore

/// The text of a message as JSON, in the form of `WireMessage`, made in pieces while they are sent.
///
/// The text of a large list never exists as a whole. A connection that accepts it slowly costs one piece and the
/// snapshot, which shares its rows with the list.
///
/// ```swift
/// var text = MessageText()
/// try await text.append(message, sending: send)
/// try await send(text.piece)
/// ```
struct MessageText {
    /// The text that was not sent yet.
    private(set) var piece = ByteBuffer()
    /// Whether nothing was sent yet, so that the piece is the whole text.
    private(set) var isWhole = true

    /// The number of bytes from which on a piece is sent. A row more may be in it.
    static let pieceSize = 64 << 10

    typealias Send = (ByteBuffer) async throws -> Void

    /// The reason why a message has no text.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    mutating func append(_ text: String) { piece.writeString(text) }

    /// Appends a message, and sends what is more than a piece.
    mutating func append(_ message: HubMessage, sending send: Send) async throws {
        switch message {
        case .reset(let snapshot, let reason):
            append(#"{"reset":"#)
            try await append(snapshot, reason, sending: send)
            append("}")
        case .update(let update): try await append(update, sending: send)
        case .upToDate(let version, let digest):
            append(#"{"upToDate":{"version":"\#(version)","digest":"\#(digest)"}}"#)
        case .closed(let version): append(#"{"closed":{"version":"\#(version)"}}"#)
        @unknown default: throw Fault(description: "\(message.version) is a message of a new kind")
        }
    }

    /// Appends everything at one version: the object of a `reset`.
    mutating func append(
        _ snapshot: PublishedSnapshot,
        _ reason: ResetReason,
        sending send: Send
    ) async throws {
        let state = snapshot.state
        append(#"{"version":"\#(snapshot.version)","reason":"\#(reason.rawValue)""#)
        append(snapshot.digest, snapshot.place)
        try await appendList("sections", state.shape.itemCounts.indices, sending: send) {
            text,
            section in
            guard let header = state.section(at: section) else { return }
            text.append("{")
            try await text.append(header, state.shape.itemCounts[section], sending: send) {
                state.item(at: ItemPath(section: section, item: $0))
            }
        }
        append("}")
    }

    private mutating func append(_ update: PublishedUpdate, sending send: Send) async throws {
        let (changes, contents) = (update.changeSet, update.contents)
        append(#"{"update":{"from":"\#(update.from)","to":"\#(update.to)""#)
        append(update.digest, update.place)
        try await appendList("removeItems", changes.itemRemovals, sending: send) {
            $0.append("[\($1.path.section),\($1.path.item)]")
        }
        try await appendList("removeSections", changes.sectionRemovals, sending: send) {
            $0.append("\($1.section)")
        }
        var sections = contents.freshSections[...]
        try await appendList("insertSections", changes.sectionInsertions, sending: send) {
            text,
            edit in
            text.append(#"{"at":\#(edit.section),"#)
            if edit.role == .move, let oldIndex = edit.associatedWith {
                text.append(#""from":\#(oldIndex)}"#)
            } else if let fresh = sections.popFirst() {
                try await text.append(fresh.section, fresh.items.count, sending: send) {
                    fresh.items[$0]
                }
            }
        }
        var items = contents.insertedItems[...]
        try await appendList("insertItems", changes.itemInsertions, sending: send) { text, edit in
            text.append("[\(edit.path.section),\(edit.path.item),")
            if edit.role == .move, let old = edit.associatedWith {
                text.append("[\(old.section),\(old.item)]]")
            } else if let item = items.popFirst() {
                text.append("\(item.number)")
                try text.append(last: item.payload)
            }
        }
        let changedItems = zip(changes.reconfigurations, contents.changedItems)
        try await appendList("changeItems", changedItems, sending: send) { text, change in
            text.append("[\(change.0.newPath.section),\(change.0.newPath.item)")
            try text.append(last: change.1.payload)
        }
        try await appendList("changeSections", contents.changedSections, sending: send) {
            $0.append("[\($1.newIndex)")
            try $0.append(last: $1.section.payload)
        }
        append("}}")
    }

    // MARK: Parts

    /// Appends a member that is a list, unless it is empty.
    private mutating func appendList<Element>(
        _ name: String,
        _ list: some Sequence<Element>,
        sending send: Send,
        _ appendElement: (inout MessageText, Element) async throws -> Void
    ) async throws {
        var mark = #","\#(name)":["#
        for element in list {
            append(mark)
            mark = ","
            try await appendElement(&self, element)
            try await sendFullPiece(send)
        }
        if mark == "," { append("]") }
    }

    /// Appends the rest of a section's object.
    private mutating func append(
        _ section: PublishedSection,
        _ count: Int,
        sending send: Send,
        _ item: (Int) -> PublishedItem?
    ) async throws {
        append(#""n":\#(section.number)"#)
        if let payload = section.payload {
            append(#","p":"#)
            try append(payload)
        }
        try await appendList("items", 0..<count, sending: send) { text, index in
            guard let item = item(index) else { return }
            text.append("[\(item.number)")
            try text.append(last: item.payload)
        }
        append("}")
    }

    private mutating func append(_ digest: StateDigest?, _ place: WindowPlace?) {
        if let digest { append(#","digest":"\#(digest)""#) }
        guard let place else { return }
        append(#","place":{"sections":\#(place.totalSections),"items":\#(place.totalItems)"#)
        append(#","section":\#(place.firstSection),"item":\#(place.firstItem)"#)
        append(#","before":\#(place.itemsBefore)}"#)
    }

    /// Ends an array with a payload, if there is one.
    private mutating func append(last payload: PublishedPayload?) throws {
        if let payload {
            append(",")
            try append(payload)
        }
        append("]")
    }

    /// Appends a payload as a string.
    private mutating func append(_ payload: PublishedPayload) throws {
        let bytes = payload.bytes
        // A row may have come over a broker.
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Fault(description: "a row of \(bytes.count) bytes is no UTF-8")
        }
        append("\"")
        var start = 0
        for (index, byte) in bytes.enumerated() {
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                continue
            }
            piece.writeBytes(bytes[start..<index])
            start = index + 1
            if byte < 0x20 {
                append(byte < 0x10 ? "\\u000" : "\\u00")
                append(String(byte, radix: 16))
            } else {
                append("\\")
                piece.writeInteger(byte)
            }
        }
        piece.writeBytes(bytes[start...])
        append("\"")
    }

    private mutating func sendFullPiece(_ send: Send) async throws {
        guard piece.readableBytes >= Self.pieceSize else { return }
        try await send(piece)
        isWhole = false
        // The piece that was sent keeps its storage, and large lists must not keep others from running.
        piece = ByteBuffer()
        await Task.yield()
    }
}
