import CollectionChanges
import CollectionPublishing

/// A state in bytes, with its place in the chain: what a late member begins with.
struct SnapshotForm {
    var position: ChainPosition
    var numbers: LastNumbers
    var state: PublishedState
    /// The last record of each of the last leaderships before that of ``position``, oldest first.
    var ancestors: [ChainPosition] = []

    /// Complexity: O(n).
    func encoded(key: StableHashKey) -> [UInt8] {
        RecordForm.snapshot.encode(key: key, reserving: 1 << 16) { writer in
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

extension SnapshotForm {
    /// Complexity: O(n).
    init(
        decoding bytes: [UInt8],
        key: StableHashKey,
        limits: ShapeLimits
    ) throws(BinaryDecodingError) {
        self = try RecordForm.snapshot.decode(bytes, key: key) {
            (reader) throws(BinaryDecodingError) -> SnapshotForm in
            let position = try ChainPosition(from: &reader)
            let numbers = LastNumbers(item: try reader.unsigned(), section: try reader.unsigned())
            let start = reader.offset
            try numbers.check(at: start)
            var ancestors: [ChainPosition] = []
            for _ in 0..<(try reader.count(of: "ancestors")) {
                ancestors.append(try ChainPosition(from: &reader))
            }
            var sections: [PublishedContents.FreshSection] = []
            for _ in 0..<(try reader.count(of: "sections")) {
                var section = PublishedContents.FreshSection(section: try reader.section())
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
            return SnapshotForm(
                position: position,
                numbers: numbers,
                state: state,
                ancestors: ancestors
            )
        }.value
    }
}

/// The greatest numbers of items and sections that were given, also to those that are gone.
struct LastNumbers: Hashable, Sendable {
    var item: UInt64 = 0
    var section: UInt64 = 0

    fileprivate func check(at offset: Int) throws(BinaryDecodingError) {
        if max(item, section) <= LogChain.greatestNumber { return }
        throw BinaryDecodingError(
            .unknownValue,
            at: offset,
            "the last numbers must be at most \(LogChain.greatestNumber), but are \(item) and"
                + " \(section)"
        )
    }

    /// All numbers must have been given, each once.
    fileprivate func check(
        _ sections: [PublishedContents.FreshSection],
        at offset: Int
    ) throws(BinaryDecodingError) {
        let all = PublishedContents(freshSections: sections)
        if let last = LastNumbers().counting(all), last.item <= item, last.section <= section {
            return
        }
        throw BinaryDecodingError(
            .unknownValue,
            at: offset,
            "sections must have numbers up to \(section) and items up to \(item), each its own,"
                + " but have not"
        )
    }
}
