extension UpdateRecord {
    /// Reads the lists that `parts` names.
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
            try reader.freshItems(of: &sectionInserts)
        }
        if parts.contains(.sectionDeletes) {
            sectionDeletes = try reader.sections(.delete, animated)
        }
        if parts.contains(.sectionReloads) {
            sectionReloads = try reader.sections(.reload, animated)
            try reader.freshItems(of: &sectionReloads)
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

    fileprivate mutating func freshItems(
        of edits: inout [SectionEdit]
    ) throws(BinaryDecodingError) {
        for position in edits.indices { edits[position].freshItemCount = try index() }
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
        // Steps may wrap around; what then is no index, validation rejects.
        let item = section == oldPath.section ? try step(from: oldPath.item) : try index()
        return ItemPath(section: section, item: item)
    }

    /// A list that is announced is not empty.
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
                    "an option must be of 1 to \(count - position) edits, but is of \(length)"
                )
            }
            let option = AnimationOption(rawValue: try signed())
            for edit in position..<(position + length) { set(edit, option) }
            position += length
        }
    }
}
