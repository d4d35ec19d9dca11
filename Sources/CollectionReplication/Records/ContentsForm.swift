import CollectionChanges
import CollectionPublishing

// What an update does, in bytes: the length of the edits and the edits, as an update alone; then what they bring, in the
// order of the runs. What is fresh has a number; what changes in place has that of what is there.

/// Edits and what they bring, in bytes.
enum ContentsForm {
    /// - Parameter edits: an update, as ``ValidatedChangeSet/encodedAlone()`` writes it.
    ///
    /// Complexity: O(k) for k contents, and the bytes of all.
    static func encode(_ edits: [UInt8], _ contents: PublishedContents) -> [UInt8] {
        var writer = ByteWriter(reserving: edits.count + 16 + 32 * contents.count)
        writer.index(edits.count)
        writer.raw(edits)
        for section in contents.freshSections {
            writer.section(section.section)
            for item in section.items { writer.item(item) }
        }
        for item in contents.insertedItems { writer.item(item) }
        for item in contents.changedItems { writer.payload(item.payload) }
        for change in contents.changedSections { writer.payload(change.section.payload) }
        return writer.bytes
    }

    /// Reads an update of a state, and validates it.
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
                "an update must end with what it brings, but \(reader.remaining) bytes follow"
            )
        }
    }
}

extension ByteWriter {
    /// Nothing as 0, others as one more than their length, and the bytes.
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
                "a payload of \(length - 1) bytes is announced, but only \(remaining) follow"
            )
        }
        return PublishedPayload(try raw(Int(length - 1)))
    }

    /// A number of an item or section, which begin with 1.
    private mutating func number() throws(BinaryDecodingError) -> UInt64 {
        let start = offset
        let number = try unsigned()
        if number >= 1, number <= LogChain.greatestNumber { return number }
        throw BinaryDecodingError(
            .unknownValue,
            at: start,
            "a number must be from 1 to \(LogChain.greatestNumber), but is \(number)"
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
            var fresh = PublishedContents.FreshSection(section: try section())
            // Nothing is reserved for what the bytes only claim.
            for _ in 0..<edit.freshItemCount { fresh.items.append(try item()) }
            contents.freshSections.append(fresh)
        }
        for edit in changeSet.itemInsertions where edit.role != .move {
            contents.insertedItems.append(try item())
        }
        for change in changeSet.reconfigurations {
            // Validation has looked whether it is there.
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
