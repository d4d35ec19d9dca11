// The binary form of an update's lists. It starts with a number that specifies which lists follow.
// Each list has its length, the places as gaps, the values of each place, and, if any option is not
// the default, the options in groups of neighbours. The size of a place depends on its distance
// from the previous one.

extension UpdateRecord {
    /// The set of lists that follow. The most frequent lists have the low bits, so that the set
    /// usually takes one byte.
    struct Parts: OptionSet {
        var rawValue: UInt64

        static let itemDeletes = Parts(rawValue: 1 << 0)
        static let itemInserts = Parts(rawValue: 1 << 1)
        static let itemReloads = Parts(rawValue: 1 << 2)
        static let itemMoves = Parts(rawValue: 1 << 3)
        static let reconfigurations = Parts(rawValue: 1 << 4)
        /// An option is not `automatic`, so every list includes its options.
        static let animations = Parts(rawValue: 1 << 5)
        static let sectionInserts = Parts(rawValue: 1 << 6)
        static let sectionDeletes = Parts(rawValue: 1 << 7)
        static let sectionReloads = Parts(rawValue: 1 << 8)
        static let sectionMoves = Parts(rawValue: 1 << 9)
        static let supplementaryReloads = Parts(rawValue: 1 << 10)
        /// Everything is replaced; the new shape and an option follow.
        static let reload = Parts(rawValue: 1 << 11)
        /// Nothing was recorded.
        static let nothing = Parts(rawValue: 1 << 12)

        static let all = Parts(rawValue: 1 << 13 - 1)
    }

    var parts: Parts {
        var parts: Parts = []
        func note(_ part: Parts, _ options: some Sequence<AnimationOption>) {
            var isEmpty = true
            for option in options {
                isEmpty = false
                if option != .automatic { parts.insert(.animations) }
            }
            if !isEmpty { parts.insert(part) }
        }
        note(.itemDeletes, itemDeletes.lazy.map(\.animation))
        note(.itemInserts, itemInserts.lazy.map(\.animation))
        note(.itemReloads, itemReloads.lazy.map(\.animation))
        note(.itemMoves, itemMoves.lazy.map(\.animation))
        note(.reconfigurations, reconfigurations.lazy.map(\.animation))
        note(.sectionInserts, sectionInserts.lazy.map(\.animation))
        note(.sectionDeletes, sectionDeletes.lazy.map(\.animation))
        note(.sectionReloads, sectionReloads.lazy.map(\.animation))
        note(.sectionMoves, sectionMoves.lazy.map(\.animation))
        note(.supplementaryReloads, supplementaryReloads.lazy.map(\.animation))
        return parts
    }

    func write(to writer: inout ByteWriter) {
        let parts = self.parts
        let animated = parts.contains(.animations)
        writer.unsigned(parts.rawValue)
        writer.items(itemDeletes, animated)
        writer.items(itemInserts, animated)
        writer.items(itemReloads, animated)
        writer.items(itemMoves, animated)
        for edit in itemMoves { writer.target(of: edit) }
        writer.items(reconfigurations, animated)
        writer.sections(sectionInserts, animated)
        for edit in sectionInserts { writer.index(edit.newItemCount) }
        writer.sections(sectionDeletes, animated)
        writer.sections(sectionReloads, animated)
        for edit in sectionReloads { writer.index(edit.newItemCount) }
        writer.sections(sectionMoves, animated)
        for edit in sectionMoves {
            writer.step(from: edit.section, to: edit.associatedWith ?? edit.section)
        }
        writer.supplementaries(supplementaryReloads, animated)
    }
}

extension ByteWriter {
    /// Writes the number of items, then for each section: its gap from the previous section, the
    /// number of its items, and the gaps of these items.
    fileprivate mutating func items(_ edits: [ItemEdit], _ animated: Bool) {
        if edits.isEmpty { return }
        index(edits.count)
        var last: Int?
        for (section, edits) in edits.runs(by: \.path.section) {
            gap(from: last, to: section)
            index(edits.count)
            var lastItem: Int?
            for edit in edits {
                gap(from: lastItem, to: edit.path.item)
                lastItem = edit.path.item
            }
            last = section
        }
        if animated { options(edits.runs(by: \.animation)) }
    }

    fileprivate mutating func sections(_ edits: [SectionEdit], _ animated: Bool) {
        if edits.isEmpty { return }
        index(edits.count)
        var last: Int?
        for edit in edits {
            gap(from: last, to: edit.section)
            last = edit.section
        }
        if animated { options(edits.runs(by: \.animation)) }
    }

    /// Writes, for each kind, its name and its sections.
    fileprivate mutating func supplementaries(_ reloads: [SupplementaryReload], _ animated: Bool) {
        if reloads.isEmpty { return }
        let kinds = reloads.runs(by: \.kind)
        index(kinds.count)
        for (kind, reloads) in kinds {
            text(kind.rawValue)
            let edits = reloads.map {
                SectionEdit(section: $0.newSection, role: .reload, animation: $0.animation)
            }
            sections(edits, animated)
        }
    }

    /// Writes the new path of a move: its section relative to the old one, and its item, which is
    /// relative only if the section is the same.
    fileprivate mutating func target(of move: ItemEdit) {
        let newPath = move.associatedWith ?? move.path
        step(from: move.path.section, to: newPath.section)
        if newPath.section == move.path.section {
            step(from: move.path.item, to: newPath.item)
        } else {
            index(newPath.item)
        }
    }

    private mutating func options<Edit>(
        _ runs: [(key: AnimationOption, elements: ArraySlice<Edit>)]
    ) {
        for (animation, edits) in runs {
            index(edits.count)
            signed(animation.rawValue)
        }
    }

    private mutating func gap(from last: Int?, to value: Int) {
        index(last.map { value &- $0 &- 1 } ?? value)
    }
}

extension UpdateRecord {
    /// Creates a record by reading the lists in `parts`.
    init(
        _ parts: Parts,
        from reader: inout ByteReader
    ) throws(BinaryDecodingError) {
        let animated = parts.contains(.animations)
        if parts.contains(.itemDeletes) { itemDeletes = try reader.items(.delete, animated) }
        if parts.contains(.itemInserts) { itemInserts = try reader.items(.insert, animated) }
        if parts.contains(.itemReloads) { itemReloads = try reader.items(.reload, animated) }
        if parts.contains(.itemMoves) {
            itemMoves = try reader.items(.move, animated)
            for position in itemMoves.indices {
                itemMoves[position].associatedWith = try reader.target(
                    ofMoveFrom: itemMoves[position].path
                )
            }
        }
        if parts.contains(.reconfigurations) {
            reconfigurations = try reader.items(.reload, animated)
        }
        if parts.contains(.sectionInserts) {
            sectionInserts = try reader.sections(.insert, animated)
            try reader.newItems(of: &sectionInserts)
        }
        if parts.contains(.sectionDeletes) {
            sectionDeletes = try reader.sections(.delete, animated)
        }
        if parts.contains(.sectionReloads) {
            sectionReloads = try reader.sections(.reload, animated)
            try reader.newItems(of: &sectionReloads)
        }
        if parts.contains(.sectionMoves) {
            sectionMoves = try reader.sections(.move, animated)
            for position in sectionMoves.indices {
                let section = sectionMoves[position].section
                sectionMoves[position].associatedWith = try reader.step(from: section)
            }
        }
        if parts.contains(.supplementaryReloads) {
            supplementaryReloads = try reader.supplementaries(animated)
        }
    }
}

extension ByteReader {
    fileprivate mutating func items(
        _ role: EditRole,
        _ animated: Bool
    ) throws(BinaryDecodingError) -> [ItemEdit] {
        let count = try nonzero("items")
        var edits: [ItemEdit] = []
        edits.reserveCapacity(count)
        var last: Int?
        while edits.count < count {
            let section = try ascending(after: last)
            let start = offset
            let length = try index()
            guard length > 0, length <= count - edits.count else {
                throw BinaryDecodingError(
                    .unknownValue,
                    at: start,
                    "a section must have 1 to \(count - edits.count) of the items, but has \(length)"
                )
            }
            var lastItem: Int?
            for _ in 0..<length {
                let item = try ascending(after: lastItem)
                edits.append(ItemEdit(path: ItemPath(section: section, item: item), role: role))
                lastItem = item
            }
            last = section
        }
        if animated { try options(count) { edits[$0].animation = $1 } }
        return edits
    }

    fileprivate mutating func sections(
        _ role: EditRole,
        _ animated: Bool
    ) throws(BinaryDecodingError) -> [SectionEdit] {
        let count = try nonzero("sections")
        var edits: [SectionEdit] = []
        edits.reserveCapacity(count)
        var last: Int?
        for _ in 0..<count {
            let section = try ascending(after: last)
            edits.append(SectionEdit(section: section, role: role))
            last = section
        }
        if animated { try options(count) { edits[$0].animation = $1 } }
        return edits
    }

    fileprivate mutating func newItems(
        of edits: inout [SectionEdit]
    ) throws(BinaryDecodingError) {
        for position in edits.indices { edits[position].newItemCount = try index() }
    }

    fileprivate mutating func supplementaries(
        _ animated: Bool
    ) throws(BinaryDecodingError) -> [SupplementaryReload] {
        var reloads: [SupplementaryReload] = []
        var last: SupplementaryKind?
        for _ in 0..<(try nonzero("kinds")) {
            let start = offset
            let kind = SupplementaryKind(rawValue: try text())
            if let last, !(last < kind) {
                throw BinaryDecodingError(
                    .outOfOrder,
                    at: start,
                    "kinds must ascend, but \(kind) comes after \(last)"
                )
            }
            for edit in try sections(.reload, animated) {
                reloads.append(
                    SupplementaryReload(
                        kind: kind,
                        newSection: edit.section,
                        animation: edit.animation
                    )
                )
            }
            last = kind
        }
        return reloads
    }

    fileprivate mutating func target(
        ofMoveFrom oldPath: ItemPath
    ) throws(BinaryDecodingError) -> ItemPath {
        let section = try step(from: oldPath.section)
        // Steps may wrap around. Validation rejects an invalid index that results.
        let item = section == oldPath.section ? try step(from: oldPath.item) : try index()
        return ItemPath(section: section, item: item)
    }

    /// Reads the length of a list. A list that is present must not be empty.
    private mutating func nonzero(_ what: StaticString) throws(BinaryDecodingError) -> Int {
        let start = offset
        let count = try count(of: what)
        if count > 0 { return count }
        throw BinaryDecodingError(.unknownValue, at: start, "a list of \(what) must not be empty")
    }

    private mutating func options(
        _ count: Int,
        _ set: (Int, AnimationOption) -> Void
    ) throws(BinaryDecodingError) {
        var position = 0
        while position < count {
            let start = offset
            let length = try index()
            guard length > 0, length <= count - position else {
                throw BinaryDecodingError(
                    .unknownValue,
                    at: start,
                    "an option must apply to 1 to \(count - position) edits, but applies to \(length)"
                )
            }
            let option = AnimationOption(rawValue: try signed())
            for edit in position..<(position + length) { set(edit, option) }
            position += length
        }
    }
}
