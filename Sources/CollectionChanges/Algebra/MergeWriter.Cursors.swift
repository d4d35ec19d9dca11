// What is walked through side by side where both updates leave a section. Both only ever go on.

extension MergeWriter {
    /// What one side puts into the section, each with the last item before it that this side leaves in its place.
    struct Arrivals {
        private let edits: ArraySlice<ItemEdit>
        private let leaving: ArraySlice<ItemEdit>
        private var position = 0
        private var leftBefore = 0
        /// Of the next one; beyond all items after the last.
        private(set) var anchor = Int.max

        init(_ side: ChangeMerge.Side, new: Int, old: Int) {
            edits = side.arriving(new)
            leaving = side.leaving(old)
            findAnchor()
        }

        /// The next one, if that stands before an item that stays.
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
            // So many items that stay come before it; the last of these is the anchor, or -1.
            let rank = edits[edits.startIndex + position].path.item - position
            while leftBefore < leaving.count,
                leaving[leaving.startIndex + leftBefore].path.item - leftBefore < rank
            {
                leftBefore += 1
            }
            anchor = rank - 1 + leftBefore
        }
    }

    /// Where the items that stay are after theirs. Asked ascending, so that it only ever goes on.
    struct StayingItems {
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

        enum Place {
            /// The first so many of the items are together, from here on.
            case staying(newItem: Int, count: Int)
            /// Theirs moved the first, where mine leaves nothing, so it comes back.
            case returning(from: ItemPath)
        }

        mutating func place(of items: Range<Int>) -> Place {
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
