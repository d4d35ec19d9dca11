/// A writer of the JSON of a message, in chunks; ``WireMessage`` describes its form.
///
/// The text of a large list never exists as a whole: a slow connection costs one chunk and the
/// state, which shares its rows with the list. An ``EventStream`` writes its events like this. Use
/// a writer for other formats, such as a file or the response to a request for the state.
///
/// ```swift
/// var writer = try MessageWriter(.reset(hub.snapshot, .joined))
/// while let chunk = try writer.next() { try await body.write(Data(chunk)) }
/// ```
///
/// Threading: a value. Writing a chunk takes as long as its bytes, some tens of microseconds.
public struct MessageWriter {
    /// The remaining steps, in reverse order.
    private var steps: [Step] = []
    private var chunk: [UInt8] = []

    /// The number of bytes at which a chunk is complete. It may contain one more row.
    private let chunkSize: Int

    private enum Step {
        case text(String)
        case list(List)
    }

    /// A member that is an array, of which some elements may be written already.
    private struct List {
        let name: String
        let count: Int
        var index = 0
        /// Writes the element at an index, or its beginning, and adds steps for the rest.
        let write: (inout MessageWriter, Int) throws(WireError) -> Void
    }

    /// Creates a writer.
    ///
    /// - Throws: An error if no hub can have made the message: its contents do not fit its edits,
    ///   or a version is negative.
    public init(_ message: HubMessage) throws(WireError) { try self.init(message, isEvent: false) }

    /// - Parameter isEvent: Whether to write a server-sent event, whose data is the JSON.
    init(
        _ message: HubMessage,
        isEvent: Bool,
        chunkSize: Int = 64 << 10
    ) throws(WireError) {
        self.chunkSize = chunkSize
        if case .update(let update) = message {
            if let mismatch = update.mismatch { throw WireError(.mismatch, mismatch) }
            if update.from.number < 0 { throw WireError(update.from) }
        }
        if message.version.number < 0 { throw WireError(message.version) }
        if isEvent {
            append("id: \(message.version)\ndata: ")
            // The steps are in reverse order.
            steps.append(.text("\n\n"))
        }
        switch message {
        case .reset(let snapshot, let reason): write(snapshot, reason)
        case .update(let update): write(update)
        case .upToDate(let version, let digest):
            append(#"{"upToDate":{"version":"\#(version)","digest":"\#(digest)"}}"#)
        case .closed(let version): append(#"{"closed":{"version":"\#(version)"}}"#)
        }
    }

    /// Returns the next chunk of the text, about 64 KB; `nil` after the last one.
    ///
    /// - Throws: An error if a payload is not UTF-8, which a hub does not require of payloads, or
    ///   if a number is 0 or has more than 53 bits. The writer cannot continue after that.
    public mutating func next() throws(WireError) -> [UInt8]? {
        while chunk.count < chunkSize, let step = steps.popLast() {
            switch step {
            case .text(let text): append(text)
            case .list(var list):
                if list.index == list.count {
                    append("]")
                    continue
                }
                append(list.index == 0 ? #","\#(list.name)":["# : ",")
                let index = list.index
                list.index += 1
                steps.append(.list(list))
                try list.write(&self, index)
            }
        }
        guard !chunk.isEmpty else { return nil }
        return exchange(&chunk, with: [])
    }

    /// Whether everything has been returned.
    var isAtEnd: Bool { steps.isEmpty && chunk.isEmpty }

    // MARK: Messages

    private mutating func write(_ snapshot: PublishedSnapshot, _ reason: ResetReason) {
        let state = snapshot.state
        append(#"{"reset":{"version":"\#(snapshot.version)","reason":"\#(reason.rawValue)""#)
        append(snapshot.digest, snapshot.place)
        steps.append(.text("}}"))
        addList("sections", state.shape.itemCounts.count) { writer, section throws(WireError) in
            guard let header = state.section(at: section) else { return }
            writer.append("{")
            try writer.write(header, state.shape.itemCounts[section]) {
                state.item(at: ItemPath(section: section, item: $0))
            }
        }
    }

    private mutating func write(_ update: PublishedUpdate) {
        let (changes, contents) = (update.changeSet, update.contents)
        append(#"{"update":{"from":"\#(update.from)","to":"\#(update.to)""#)
        append(update.digest, update.place)
        steps.append(.text("}}"))
        // Lists are added in reverse order.
        let sections = contents.changedSections
        addList("changeSections", sections.count) { writer, index throws(WireError) in
            writer.append("[\(sections[index].newIndex)")
            try writer.endArray(
                "section",
                sections[index].section.number,
                sections[index].section.payload
            )
        }
        let (reconfigurations, changedItems) = (changes.reconfigurations, contents.changedItems)
        addList("changeItems", changedItems.count) { writer, index throws(WireError) in
            let path = reconfigurations[index].newPath
            writer.append("[\(path.section),\(path.item)")
            try writer.endArray("item", changedItems[index].number, changedItems[index].payload)
        }
        var contentIndex = 0
        let items = changes.itemInsertions.map { edit -> (edit: ItemEdit, contentIndex: Int) in
            defer { contentIndex += edit.role == .move ? 0 : 1 }
            return (edit, contentIndex)
        }
        addList("insertItems", items.count) { writer, index throws(WireError) in
            let (edit, contentIndex) = items[index]
            writer.append("[\(edit.path.section),\(edit.path.item),")
            if edit.role == .move, let old = edit.associatedWith {
                writer.append("[\(old.section),\(old.item)]]")
            } else {
                let item = contents.insertedItems[contentIndex]
                writer.append("\(item.number)")
                try writer.endArray("item", item.number, item.payload)
            }
        }
        contentIndex = 0
        let insertions = changes.sectionInsertions.map {
            edit -> (edit: SectionEdit, contentIndex: Int) in
            defer { contentIndex += edit.role == .move ? 0 : 1 }
            return (edit, contentIndex)
        }
        addList("insertSections", insertions.count) { writer, index throws(WireError) in
            let (edit, contentIndex) = insertions[index]
            writer.append(#"{"at":\#(edit.section),"#)
            if edit.role == .move, let oldIndex = edit.associatedWith {
                writer.append(#""from":\#(oldIndex)}"#)
            } else {
                let section = contents.insertedSections[contentIndex]
                try writer.write(section.section, section.items.count) { section.items[$0] }
            }
        }
        let sectionRemovals = changes.sectionRemovals
        addList("removeSections", sectionRemovals.count) { writer, index throws(WireError) in
            writer.append("\(sectionRemovals[index].section)")
        }
        let itemRemovals = changes.itemRemovals
        addList("removeItems", itemRemovals.count) { writer, index throws(WireError) in
            let path = itemRemovals[index].path
            writer.append("[\(path.section),\(path.item)]")
        }
    }

    // MARK: Parts

    /// Adds a list as the next step, unless it is empty.
    private mutating func addList(
        _ name: String,
        _ count: Int,
        _ write: @escaping (inout MessageWriter, Int) throws(WireError) -> Void
    ) {
        guard count > 0 else { return }
        steps.append(.list(List(name: name, count: count, write: write)))
    }

    /// Writes the rest of a section's object.
    private mutating func write(
        _ section: PublishedSection,
        _ count: Int,
        _ item: @escaping (Int) -> PublishedItem?
    ) throws(WireError) {
        append(#""n":\#(section.number)"#)
        try WireError.check("section", section.number, section.payload)
        if let payload = section.payload {
            append(#","p":"#)
            append(payload)
        }
        steps.append(.text("}"))
        addList("items", count) { writer, index throws(WireError) in
            guard let item = item(index) else { return }
            writer.append("[\(item.number)")
            try writer.endArray("item", item.number, item.payload)
        }
    }

    /// Ends an array with the payload of an item or section, if it has one.
    private mutating func endArray(
        _ noun: String,
        _ number: UInt64,
        _ payload: PublishedPayload?
    ) throws(WireError) {
        try WireError.check(noun, number, payload)
        if let payload {
            append(",")
            append(payload)
        }
        append("]")
    }

    private mutating func append(_ digest: StateDigest?, _ place: WindowPlace?) {
        if let digest { append(#","digest":"\#(digest)""#) }
        guard let place else { return }
        append(#","place":{"sections":\#(place.totalSections),"items":\#(place.totalItems)"#)
        append(#","section":\#(place.firstSection),"item":\#(place.firstItem)"#)
        append(#","before":\#(place.itemsBefore)}"#)
    }

    private mutating func append(_ text: String) { chunk.append(contentsOf: text.utf8) }

    /// Appends a payload as a string.
    private mutating func append(_ payload: PublishedPayload) {
        append("\"")
        for byte in payload.bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): chunk += [UInt8(ascii: "\\"), byte]
            case ..<0x20: append((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
            default: chunk.append(byte)
            }
        }
        append("\"")
    }
}
