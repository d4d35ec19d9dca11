import CollectionChanges
import CollectionPublishing

/// The binary form of a state, with its position in the chain; a late member starts from it.
struct EncodableSnapshot {
    var position: ChainPosition
    var numbers: LastNumbers
    var state: PublishedState
    /// The last record of each of the most recent leaderships before that of ``position``, oldest
    /// first.
    var ancestors: [ChainPosition] = []

    /// Encodes the snapshot.
    ///
    /// Complexity: O(n).
    func encoded(key: StableHashKey) -> [UInt8] {
        RecordFrame.snapshot.encode(key: key, reserving: 1 << 16) { writer in
            position.write(to: &writer)
            writer.unsigned(numbers.item)
            writer.unsigned(numbers.section)
            writer.index(ancestors.count)
            for ancestor in ancestors { ancestor.write(to: &writer) }
            writer.index(state.numberOfSections)
            for index in 0..<state.numberOfSections {
                guard let section = state.section(at: index) else { continue }
                let items = state.items(inSection: index)
                writer.section(section)
                writer.index(items.count)
                for item in items { writer.item(item) }
            }
        }.bytes
    }
}

extension EncodableSnapshot {
    /// Decodes and checks a snapshot.
    ///
    /// Complexity: O(n).
    init(
        decoding bytes: [UInt8],
        key: StableHashKey,
        limits: ShapeLimits
    ) throws(BinaryDecodingError) {
        self = try RecordFrame.snapshot.decode(bytes, key: key) {
            (reader) throws(BinaryDecodingError) -> EncodableSnapshot in
            let position = try ChainPosition(from: &reader)
            let numbers = LastNumbers(item: try reader.unsigned(), section: try reader.unsigned())
            let start = reader.offset
            try numbers.check(at: start)
            var ancestors: [ChainPosition] = []
            for _ in 0..<(try reader.count(of: "ancestors")) {
                ancestors.append(try ChainPosition(from: &reader))
            }
            var sections: [PublishedContents.InsertedSection] = []
            for _ in 0..<(try reader.count(of: "sections")) {
                var section = PublishedContents.InsertedSection(section: try reader.section())
                for _ in 0..<(try reader.count(of: "items")) {
                    section.items.append(try reader.item())
                }
                sections.append(section)
            }
            let shape = HierarchyShape(sections.map(\.items.count))
            do throws(HierarchyUpdateError) {
                try limits.check(shape)
            } catch {
                throw BinaryDecodingError(.rejected, at: start, error.message, because: error)
            }
            try numbers.check(sections, at: start)
            let state = PublishedState(sections, shape: shape)
            return EncodableSnapshot(
                position: position,
                numbers: numbers,
                state: state,
                ancestors: ancestors
            )
        }.value
    }
}

/// The greatest item and section numbers that have ever been assigned, including those of removed
/// items and sections.
struct LastNumbers: Hashable, Sendable {
    var item: UInt64 = 0
    var section: UInt64 = 0

    fileprivate func check(at offset: Int) throws(BinaryDecodingError) {
        if max(item, section) <= LogChain.greatestNumber { return }
        throw BinaryDecodingError(
            .unknownValue,
            at: offset,
            "expected last numbers of at most \(LogChain.greatestNumber), found \(item) and"
                + " \(section)"
        )
    }

    /// Throws unless every number was assigned, and occurs only once.
    fileprivate func check(
        _ sections: [PublishedContents.InsertedSection],
        at offset: Int
    ) throws(BinaryDecodingError) {
        let all = PublishedContents(insertedSections: sections)
        if let last = LastNumbers().counting(all), last.item <= item, last.section <= section {
            return
        }
        throw BinaryDecodingError(
            .unknownValue,
            at: offset,
            "expected unique numbers up to \(section) for sections and up to \(item) for items"
        )
    }
}
