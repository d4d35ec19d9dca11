/// A writer for the items of one section of a merged state. Items are identified by their paths
/// after `theirs`.
struct MergeWriter {
    private let merge: ChangeMerge
    private var writer = StretchWriter(capacity: 0)
    private(set) var options: OptionCodes

    init(_ merge: ChangeMerge, _ options: OptionCodes) {
        self.merge = merge
        self.options = options
    }

    /// Returns all stretches written so far.
    func stretches() -> [ItemStretch] { writer.finish() }

    static func count(_ stretches: [ItemStretch]) throws(HierarchyUpdateError) -> Int {
        var total = 0
        for stretch in stretches {
            let (sum, overflows) = total.addingReportingOverflow(stretch.count)
            if overflows {
                throw HierarchyUpdateError(
                    .tooManyItems,
                    "a section has more than \(Int.max) items after both updates"
                )
            }
            total = sum
        }
        return total
    }

    mutating func write(_ section: ChangeMerge.Section) {
        switch section.content {
        case .joint: writeJoint(section)
        case .mine: writeMine(section.mine)
        case .theirs: writeTheirs(section.theirs)
        case .kept where merge.minePrevails: writeMine(section.mine, of: section.old)
        case .kept: writeJoint(section)
        }
    }

    // MARK: Sections of one update

    /// Writes a section that has its content from `mine`: new items, and the items that are moved
    /// into it.
    ///
    /// - Parameters:
    ///   - section: The section's index after `mine`.
    ///   - old: The section's old index if `mine` keeps its items; `theirs` may have moved items
    ///     out of it.
    private mutating func writeMine(_ section: Int, of old: Int? = nil) {
        let movedOut = old.map { merge.theirs.leaving($0) } ?? []
        var elsewhere = movedOut.compactMap { edit -> Int? in
            guard case .movesAsTheirs = merge.placement(of: edit.path) else { return nil }
            return merge.mine.update.newPath(for: edit.path)?.item
        }[...]
        func count(upTo end: Int, from start: Int) -> Int {
            var count = end - start
            while let item = elsewhere.first, item < end {
                elsewhere.removeFirst()
                count -= 1
            }
            return count
        }
        var start = 0
        for edit in merge.mine.arriving(section) {
            writer.append(.inserted(count(upTo: edit.path.item, from: start)))
            writeMine(edit)
            start = edit.path.item + 1
        }
        let total = merge.mine.update.newShape.itemCounts[section]
        writer.append(.inserted(count(upTo: total, from: start)))
    }

    /// Writes a section that has its content from `theirs`: all its items except those that `mine`
    /// removes.
    private mutating func writeTheirs(_ section: Int) {
        var start = 0
        for edit in merge.theirs.arriving(section) {
            writeItems(start..<edit.path.item, of: section)
            writeTheirs(edit)
            start = edit.path.item + 1
        }
        writeItems(start..<merge.theirs.update.newShape.itemCounts[section], of: section)
    }

    private mutating func writeItems(_ items: Range<Int>, of section: Int) {
        writer.append(
            ItemStretch(oldSection: section, oldItem: items.lowerBound, count: items.count)
        )
    }

    /// Writes the item that an edit of `mine` puts at a place.
    private mutating func writeMine(_ edit: ItemEdit) {
        let code = options.code(of: edit.animation)
        if let oldPath = edit.associatedWith {
            let effects = (
                ChangeMerge.Side.ItemEffect.moves(to: edit.path), merge.theirs.effect(on: oldPath)
            )
            guard
                case .movesAsMine = merge.placement(ofItemIn: oldPath.section, effects.0, effects.1)
            else { return }
            if let path = merge.theirs.update.newPath(for: oldPath) {
                return writeMarked(oldPath, at: path, arrival: code)
            }
            // `theirs` has deleted the item and yields, so it is inserted as a new item.
        }
        writer.append(.inserted(1, ItemStretch.History(arrival: code)))
    }

    /// Writes the item that an edit of `theirs` puts at a place.
    private mutating func writeTheirs(_ edit: ItemEdit) {
        if let oldPath = edit.associatedWith {
            let effects = (
                merge.mine.effect(on: oldPath), ChangeMerge.Side.ItemEffect.moves(to: edit.path)
            )
            guard
                case .movesAsTheirs = merge.placement(
                    ofItemIn: oldPath.section,
                    effects.0,
                    effects.1
                )
            else { return }
            writeMarked(oldPath, at: edit.path, arrival: 0)
        } else {
            writeItems(edit.path.item..<(edit.path.item + 1), of: edit.path.section)
        }
    }

    /// Writes an item of the common start state with the in-place changes of `mine`. The item is at
    /// `path` after `theirs`.
    private mutating func writeMarked(_ oldPath: ItemPath, at path: ItemPath, arrival: UInt32) {
        write(merge.marks.ofItem(at: oldPath), oldPath, at: path, 1, arrival)
    }

    private mutating func write(
        _ marks: ArraySlice<ChangeMerge.Marks.Mark>,
        _ oldPath: ItemPath,
        at path: ItemPath,
        _ count: Int,
        _ arrival: UInt32
    ) {
        var whole = ItemStretch(oldSection: path.section, oldItem: path.item, count: count)
        whole.history.arrival = arrival
        var start = 0
        for mark in marks {
            let offset = mark.path.item - oldPath.item
            writer.append(whole.part(start, offset - start))
            var item = whole.part(offset, 1)
            let code = options.code(of: mark.animation)
            if mark.isReload { item.replace(code) } else { item.reconfigure(code) }
            writer.append(item)
            start = offset + 1
        }
        writer.append(whole.part(start, count - start))
    }

    // MARK: Sections of both updates

    private mutating func writeJoint(_ section: ChangeMerge.Section) {
        var mine = Arrivals(merge.mine, new: section.mine, old: section.old)
        var theirs = Arrivals(merge.theirs, new: section.theirs, old: section.old)
        let count = merge.oldShape.itemCounts[section.old]
        let gone = goneItems(section.old)
        var staying = StayingItems(merge, section)
        var item = 0
        for end in gone + [count] {
            while item < end {
                place(before: item, &mine, &theirs)
                // Items with this anchor come directly after it, so the run ends at the anchor.
                var stop = end
                if mine.anchor < stop { stop = mine.anchor + 1 }
                if theirs.anchor < stop { stop = theirs.anchor + 1 }
                writeStaying(item..<stop, section, &staying)
                item = stop
            }
            item = end + 1
        }
        place(before: .max, &mine, &theirs)
    }

    private mutating func place(
        before item: Int,
        _ mine: inout Arrivals,
        _ theirs: inout Arrivals
    ) {
        if !merge.mineIsLater {
            while let edit = mine.next(before: item) { writeMine(edit) }
        }
        while let edit = theirs.next(before: item) { writeTheirs(edit) }
        while let edit = mine.next(before: item) { writeMine(edit) }
    }

    /// Returns the items of an old section that do not stay in it, in ascending order.
    private func goneItems(_ section: Int) -> [Int] {
        var mine = merge.mine.leaving(section)
        var theirs = merge.theirs.leaving(section)
        var result: [Int] = []
        result.reserveCapacity(mine.count + theirs.count)
        while !mine.isEmpty || !theirs.isEmpty {
            let item = min(mine.first?.path.item ?? .max, theirs.first?.path.item ?? .max)
            let mineEdit = mine.first?.path.item == item ? mine.popFirst() : nil
            let theirEdit = theirs.first?.path.item == item ? theirs.popFirst() : nil
            let placement = merge.placement(
                ofItemIn: section,
                merge.mine.effect(onItemIn: section, mineEdit),
                merge.theirs.effect(onItemIn: section, theirEdit)
            )
            // An item whose move has no target stays.
            if case .stays = placement { continue }
            result.append(item)
        }
        return result
    }

    /// Writes items that stay in their section, as they are after `theirs`.
    private mutating func writeStaying(
        _ items: Range<Int>,
        _ section: ChangeMerge.Section,
        _ staying: inout StayingItems
    ) {
        var item = items.lowerBound
        staying.skipMarks(before: item)
        while item < items.upperBound {
            let oldPath = ItemPath(section: section.old, item: item)
            switch staying.place(of: item..<items.upperBound) {
            case .staying(let newItem, let count):
                let path = ItemPath(section: section.theirs, item: newItem)
                write(staying.marks(before: item + count), oldPath, at: path, count, 0)
                item += count
            case .returning(let path):
                writeReturning(oldPath, from: path)
                item += 1
                staying.skipMarks(before: item)
            }
        }
    }

    private mutating func writeReturning(_ oldPath: ItemPath, from path: ItemPath) {
        let section = merge.theirs.oldSections[path.section]
        let animation = section < 0 ? nil : merge.mine.update.animation(ofOldSection: section)
        let code = options.code(of: animation ?? .automatic)
        writeMarked(oldPath, at: path, arrival: code)
    }
}

// The cursors for a section that both updates leave in place. They advance in parallel and never
// move back.

extension MergeWriter {
    /// The items that one update puts into the section, each with its anchor: the last item before
    /// it that this update leaves in place.
    private struct Arrivals {
        private let edits: ArraySlice<ItemEdit>
        private let leaving: ArraySlice<ItemEdit>
        private var position = 0
        private var leftBefore = 0
        /// The anchor of the next item; `Int.max` after the last item.
        private(set) var anchor = Int.max

        init(_ side: ChangeMerge.Side, new: Int, old: Int) {
            edits = side.arriving(new)
            leaving = side.leaving(old)
            findAnchor()
        }

        /// Returns the next edit if its anchor precedes `item`, which stays.
        mutating func next(before item: Int) -> ItemEdit? {
            guard anchor < item else { return nil }
            let edit = edits[edits.startIndex + position]
            position += 1
            findAnchor()
            return edit
        }

        private mutating func findAnchor() {
            guard position < edits.count else {
                anchor = .max
                return
            }
            // The number of staying items before it. The last of these is the anchor, or -1.
            let rank = edits[edits.startIndex + position].path.item - position
            while leftBefore < leaving.count,
                leaving[leaving.startIndex + leftBefore].path.item - leftBefore < rank
            {
                leftBefore += 1
            }
            anchor = rank - 1 + leftBefore
        }
    }

    /// The positions of the staying items after `theirs`. Queries must be in ascending order,
    /// because the cursor only advances.
    private struct StayingItems {
        let leaving: ArraySlice<ItemEdit>
        let arriving: ArraySlice<ItemEdit>
        var marks: ArraySlice<ChangeMerge.Marks.Mark>
        private var left = 0
        private var arrived = 0

        init(_ merge: ChangeMerge, _ section: ChangeMerge.Section) {
            leaving = merge.theirs.leaving(section.old)
            arriving = merge.theirs.arriving(section.theirs)
            marks = merge.marks.inSection(section.old)
        }

        enum ItemPosition {
            /// The first `count` items are contiguous after `theirs`, starting at `newItem`.
            case staying(newItem: Int, count: Int)
            /// The first item was moved by `theirs`, but `mine` removes its new section, so it
            /// returns.
            case returning(from: ItemPath)
        }

        mutating func place(of items: Range<Int>) -> ItemPosition {
            let item = items.lowerBound
            while left < leaving.count, leaving[leaving.startIndex + left].path.item < item {
                left += 1
            }
            var end = items.upperBound
            if left < leaving.count {
                let edit = leaving[leaving.startIndex + left]
                if edit.path.item == item, let path = edit.associatedWith {
                    return .returning(from: path)
                }
                end = min(end, edit.path.item)
            }
            while arrived < arriving.count,
                arriving[arriving.startIndex + arrived].path.item - arrived <= item - left
            {
                arrived += 1
            }
            let newItem = item - left + arrived
            var count = end - item
            if arrived < arriving.count {
                count = min(count, arriving[arriving.startIndex + arrived].path.item - newItem)
            }
            return .staying(newItem: newItem, count: count)
        }

        mutating func marks(before end: Int) -> ArraySlice<ChangeMerge.Marks.Mark> {
            var count = 0
            while count < marks.count, marks[marks.startIndex + count].path.item < end {
                count += 1
            }
            defer { marks = marks.dropFirst(count) }
            return marks.prefix(count)
        }

        mutating func skipMarks(before item: Int) { _ = marks(before: item) }
    }
}
