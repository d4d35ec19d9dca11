import CollectionChanges
import CollectionPublishing

/// A record of a replicated log: one step of a chain.
package struct LogRecord: Hashable, Sendable {
    enum Body: Hashable, Sendable {
        /// Opens an epoch: the list stays the same, with a later version.
        case opening
        /// The encoded changes, as ``ContentsCoding`` writes them.
        case update([UInt8])
    }

    /// The position that the record leads to. Its hash is that of the record's own bytes.
    package internal(set) var position: ChainPosition
    /// The number of the version that the record starts from.
    package internal(set) var from: Int
    /// The hash of the previous record.
    package internal(set) var previous: StateDigest
    /// The digest of the state that the record leads to.
    package internal(set) var digest: StateDigest
    var body: Body

    /// Whether the record opens an epoch.
    package var isOpening: Bool { body == .opening }

    /// Encodes the record, and sets its hash.
    mutating func seal(key: StableHashKey) -> [UInt8] {
        let (bytes, hash) = RecordFrame.record.encode(key: key, reserving: 160 + bodyCount) {
            writer in
            writer.fixed(position.handle.rawValue)
            writer.fixed(position.epoch)
            writer.fixed(position.writer)
            writer.fixed(position.sequence)
            writer.index(from)
            writer.index(position.version)
            writer.digest(previous)
            writer.digest(digest)
            switch body {
            case .opening: writer.byte(1)
            case .update(let bytes):
                writer.byte(2)
                writer.raw(bytes)
            }
        }
        position.hash = hash
        return bytes
    }

    private var bodyCount: Int {
        if case .update(let bytes) = body { bytes.count } else { 0 }
    }
}

extension LogRecord {
    /// Decodes a record, or throws if it was not written with this key or was altered afterwards.
    package init(decoding bytes: [UInt8], key: StableHashKey) throws(BinaryDecodingError) {
        let (record, hash) = try RecordFrame.record.decode(bytes, key: key) {
            (reader) throws(BinaryDecodingError) -> LogRecord in
            try LogRecord(from: &reader)
        }
        self = record
        position.hash = hash
    }

    private init(from reader: inout ByteReader) throws(BinaryDecodingError) {
        let handle = HistoryID(rawValue: try reader.fixed(UInt64.self))
        let epoch = try reader.fixed(UInt64.self)
        let writer = try reader.fixed(UInt64.self)
        let sequence = try reader.fixed(UInt64.self)
        from = try reader.index()
        position = ChainPosition(
            handle: handle,
            epoch: epoch,
            writer: writer,
            sequence: sequence,
            version: try reader.index(),
            hash: StateDigest(low: 0, high: 0)
        )
        previous = try reader.digest()
        digest = try reader.digest()
        let start = reader.offset
        switch try reader.byte() {
        case 1: body = .opening
        case 2: body = .update(try reader.raw(reader.remaining))
        case let kind:
            throw BinaryDecodingError(
                .unknownValue,
                at: start,
                "expected a record of kind 1 or 2, found \(kind)"
            )
        }
    }
}

// The binary form of an update: the length of the edits, the edits in the form of a separate
// update, then the contents in the order of the runs. A new section or item has a number; one that
// changes in place keeps the number of the existing one.

/// The binary form of edits and their contents.
enum ContentsCoding {
    /// Encodes edits and contents.
    ///
    /// - Parameters:
    ///   - edits: An update, as ``ValidatedChangeSet/encodedWithoutShape()`` writes it.
    ///   - contents: The contents of the sections and items that are new or change.
    ///
    /// Complexity: O(k) for k contents, plus all their bytes.
    static func encode(_ edits: [UInt8], _ contents: PublishedContents) -> [UInt8] {
        var writer = ByteWriter(reserving: edits.count + 16 + 32 * contents.count)
        writer.index(edits.count)
        writer.raw(edits)
        for section in contents.insertedSections {
            writer.section(section.section)
            for item in section.items { writer.item(item) }
        }
        for item in contents.insertedItems { writer.item(item) }
        for item in contents.changedItems { writer.payload(item.payload) }
        for change in contents.changedSections { writer.payload(change.section.payload) }
        return writer.bytes
    }

    /// Decodes an update of a state, and validates it.
    ///
    /// Complexity: O(k log n) for k edits and contents.
    static func decode(
        _ bytes: [UInt8],
        from state: PublishedState,
        limits: ShapeLimits
    ) throws(BinaryDecodingError) -> (ValidatedChangeSet, PublishedContents) {
        try bytes.span.bytes.withUnsafeBytes { (raw) throws(BinaryDecodingError) in
            var reader = ByteReader(raw)
            let edits = try reader.raw(try reader.count(of: "bytes of edits"))
            let changeSet = try ValidatedChangeSet(
                decoding: edits,
                from: state.shape,
                limits: limits
            )
            let contents = try reader.contents(of: changeSet, from: state)
            if reader.remaining == 0 { return (changeSet, contents) }
            throw BinaryDecodingError(
                .trailingBytes,
                at: reader.offset,
                "expected the end of an update, found \(reader.remaining) more bytes"
            )
        }
    }
}

extension ByteWriter {
    /// Writes 0 for no payload; otherwise the length plus one, then the bytes.
    mutating func payload(_ payload: PublishedPayload?) {
        guard let payload else { return index(0) }
        index(payload.bytes.count + 1)
        raw(payload.bytes)
    }

    mutating func item(_ item: PublishedItem) {
        unsigned(item.number)
        payload(item.payload)
    }

    mutating func section(_ section: PublishedSection) {
        unsigned(section.number)
        payload(section.payload)
    }
}

extension ByteReader {
    mutating func payload() throws(BinaryDecodingError) -> PublishedPayload? {
        let start = offset
        let length = try unsigned()
        if length == 0 { return nil }
        guard length - 1 <= UInt64(remaining) else {
            throw BinaryDecodingError(
                .countBeyondBytes,
                at: start,
                "expected a payload of \(length - 1) bytes, found only \(remaining)"
            )
        }
        return PublishedPayload(try raw(Int(length - 1)))
    }

    /// Reads the number of an item or section; numbers start at 1.
    private mutating func number() throws(BinaryDecodingError) -> UInt64 {
        let start = offset
        let number = try unsigned()
        if number >= 1, number <= LogChain.greatestNumber { return number }
        throw BinaryDecodingError(
            .unknownValue,
            at: start,
            "expected a number from 1 to \(LogChain.greatestNumber), found \(number)"
        )
    }

    mutating func item() throws(BinaryDecodingError) -> PublishedItem {
        PublishedItem(number: try number(), payload: try payload())
    }

    mutating func section() throws(BinaryDecodingError) -> PublishedSection {
        PublishedSection(number: try number(), payload: try payload())
    }

    fileprivate mutating func contents(
        of changeSet: ValidatedChangeSet,
        from state: PublishedState
    ) throws(BinaryDecodingError) -> PublishedContents {
        var contents = PublishedContents()
        for edit in changeSet.sectionInsertions where edit.role != .move {
            var inserted = PublishedContents.InsertedSection(section: try section())
            // No capacity is reserved for a count that the bytes merely claim.
            for _ in 0..<edit.newItemCount { inserted.items.append(try item()) }
            contents.insertedSections.append(inserted)
        }
        for edit in changeSet.itemInsertions where edit.role != .move {
            contents.insertedItems.append(try item())
        }
        for change in changeSet.reconfigurations {
            // The validated update contains only existing paths.
            guard let old = state.item(at: change.oldPath) else { break }
            contents.changedItems.append(
                PublishedItem(number: old.number, payload: try payload())
            )
        }
        for index in changeSet.changedSections {
            guard let oldIndex = changeSet.oldSection(for: index),
                let old = state.section(at: oldIndex)
            else { break }
            let section = PublishedSection(number: old.number, payload: try payload())
            contents.changedSections.append(
                PublishedContents.ChangedSection(newIndex: index, section: section)
            )
        }
        return contents
    }
}
