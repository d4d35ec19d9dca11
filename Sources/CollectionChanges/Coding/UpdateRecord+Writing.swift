// The lists of an update in bytes. First a number that says which are there, then each: how many, the
// places as gaps, what belongs to each place, and, where an option is not the usual one, the options in
// groups of neighbours. A place costs what its distance from the one before costs.

extension UpdateRecord {
    /// Which parts follow. The low bits, which need no second byte, are those of the most frequent parts.
    struct Parts: OptionSet {
        var rawValue: UInt64

        static let itemDeletes = Parts(rawValue: 1 << 0)
        static let itemInserts = Parts(rawValue: 1 << 1)
        static let itemReloads = Parts(rawValue: 1 << 2)
        static let itemMoves = Parts(rawValue: 1 << 3)
        static let reconfigurations = Parts(rawValue: 1 << 4)
        /// Some option is not `automatic`, so that every list has its options.
        static let animations = Parts(rawValue: 1 << 5)
        static let sectionInserts = Parts(rawValue: 1 << 6)
        static let sectionDeletes = Parts(rawValue: 1 << 7)
        static let sectionReloads = Parts(rawValue: 1 << 8)
        static let sectionMoves = Parts(rawValue: 1 << 9)
        static let supplementaryReloads = Parts(rawValue: 1 << 10)
        /// Everything is replaced; the new shape follows, and an option.
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
        for edit in sectionInserts { writer.index(edit.freshItemCount) }
        writer.sections(sectionDeletes, animated)
        writer.sections(sectionReloads, animated)
        for edit in sectionReloads { writer.index(edit.freshItemCount) }
        writer.sections(sectionMoves, animated)
        for edit in sectionMoves {
            writer.step(from: edit.section, to: edit.associatedWith ?? edit.section)
        }
        writer.supplementaries(supplementaryReloads, animated)
    }
}

extension ByteWriter {
    /// How many, then by section: how far it is beyond the last one, how many items, and their gaps.
    fileprivate mutating func items(_ edits: [ItemEdit], _ animated: Bool) {
        if edits.isEmpty { return }
        index(edits.count)
        var last: Int?
        var start = 0
        while start < edits.count {
            let section = edits[start].path.section
            var end = start + 1
            while end < edits.count, edits[end].path.section == section { end += 1 }
            gap(from: last, to: section)
            index(end - start)
            var lastItem: Int?
            for position in start..<end {
                gap(from: lastItem, to: edits[position].path.item)
                lastItem = edits[position].path.item
            }
            last = section
            start = end
        }
        if animated { options(edits.grouped(by: \.animation)) { $0.animation } }
    }

    fileprivate mutating func sections(_ edits: [SectionEdit], _ animated: Bool) {
        if edits.isEmpty { return }
        index(edits.count)
        var last: Int?
        for edit in edits {
            gap(from: last, to: edit.section)
            last = edit.section
        }
        if animated { options(edits.grouped(by: \.animation)) { $0.animation } }
    }

    /// By kind: its name, and the sections.
    fileprivate mutating func supplementaries(_ reloads: [SupplementaryReload], _ animated: Bool) {
        if reloads.isEmpty { return }
        var starts = [0]
        for position in reloads.indices.dropFirst()
        where reloads[position].kind != reloads[position - 1].kind { starts.append(position) }
        index(starts.count)
        for (start, end) in zip(starts, starts.dropFirst() + [reloads.count]) {
            text(reloads[start].kind.rawValue)
            let edits = reloads[start..<end].map {
                SectionEdit(section: $0.newSection, role: .reload, animation: $0.animation)
            }
            sections(edits, animated)
        }
    }

    /// The new path: its section from the old one on, and its item likewise where that is the same.
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
        _ groups: [ArraySlice<Edit>],
        _ animation: (Edit) -> AnimationOption
    ) {
        for group in groups {
            index(group.count)
            signed(animation(group[group.startIndex]).rawValue)
        }
    }

    private mutating func gap(from last: Int?, to value: Int) {
        index(last.map { value &- $0 &- 1 } ?? value)
    }
}
