import CollectionPipeline
import PersistentTrees

/// The operator `window`: shows some consecutive rows of its input.
// Unchecked: confined to the lane of the store, like its superclass.
@usableFromInline
final class WindowNode: ListNode, @unchecked Sendable {
    /// The rows that a window shows.
    enum Range: Sendable {
        case rows(start: Int, count: Int)
        /// The row with a key, with rows before and after it.
        case around(anchor: @Sendable (ListRow) -> Bool, before: Int, after: Int)
    }

    private let input: ListNode
    private var range: Range
    /// The current anchor with its section; `nil` if the window has no anchor, or the input has no
    /// rows.
    private var anchor: (section: ErasedID, row: ListRow)?
    /// The index of the anchor in the whole list.
    private var anchorIndex = 0

    init(_ input: ListNode, _ range: Range) {
        self.input = input
        self.range = range
        super.init(input.store, inputs: [input])
    }

    func replaceRange(_ range: Range) {
        self.range = range
        anchor = nil
        isStale = true
    }

    override func compare(_ a: ListRow, _ b: ListRow) -> Int { input.compare(a, b) }

    override func rebuild() throws(TableError) -> StateEdit {
        followAnchor()
        return windowed()
    }

    override func derive() throws(TableError) -> StateEdit {
        followAnchor()
        return windowed()
    }

    /// Returns the state of the current window.
    ///
    /// The parts of trees in the window are cut from the input and share its nodes, so the
    /// differences are found by comparing the two states.
    private func windowed() -> StateEdit {
        let rows = currentRows()
        let input = input.state
        var indexes = input.declaredSections
        if !rows.isEmpty {
            let shown =
                input.path(ofRow: rows.lowerBound)
                .section...input
                .path(ofRow: rows.upperBound - 1).section
            indexes =
                indexes.filter { $0 < shown.lowerBound } + shown
                + indexes.filter { $0 > shown.upperBound }
        }
        let sections = indexes.compactMap { index -> ListSection? in
            let section = input.sections[index]
            let start = input.index(of: ItemPath(section: index, item: 0))
            let part = rows.clamped(to: start..<(start + section.rows.count))
            if part.count == section.rows.count { return section.isShown ? section : nil }
            let local = (part.lowerBound - start)..<(part.upperBound - start)
            let cut = section.replacing(rows: section.rows.slice(local))
            return cut.isShown ? cut : nil
        }
        let new = ListState(sections: PersistentSequence(sections))
        let difference = StateDifference(from: state, to: new)
        var edit = StateEdit(new)
        edit.changedSections = sections
        let ids = Set(sections.lazy.map(\.id))
        edit.removedSections = self.sections.keys.filter { !ids.contains($0) }
        edit.update.rows = difference.rows
        let update = self.input.update
        edit.update.isReordered = isStale || update?.isReordered ?? false
        edit.update.isSectionOrderChanged = update?.isSectionOrderChanged ?? false
        edit.update.headers = update?.headers.filter { ids.contains($0) } ?? []
        return edit
    }

    private func currentRows() -> Swift.Range<Int> {
        let total = input.state.numberOfRows
        switch range {
        case .rows(let start, let count):
            let start = min(start, total)
            return start..<(start + min(count, total - start))
        case .around(let isAnchor, let before, let after):
            if anchor == nil { anchor = findAnchor(isAnchor) }
            guard let anchor, let index = index(of: anchor) else { return 0..<0 }
            anchorIndex = index
            let start = index - min(before, index)
            return start..<(index + 1 + min(after, total - index - 1))
        }
    }

    // MARK: Anchors

    /// Returns the row that is to be the anchor; the first row if it does not exist.
    private func findAnchor(
        _ isAnchor: (ListRow) -> Bool
    ) -> (section: ErasedID, row: ListRow)? {
        for section in input.state.sections {
            for row in section.rows where isAnchor(row) { return (section.id, row) }
        }
        return input.state.sections.first { !$0.rows.isEmpty }
            .flatMap { section in section.rows.element(at: 0).map { (section.id, $0) } }
    }

    private func index(of anchor: (section: ErasedID, row: ListRow)) -> Int? {
        guard let section = input.sections[anchor.section] else { return nil }
        let place = input.state.sections.partitionPoint { input.isOrdered($0, before: section) }
        guard input.state.sections.element(at: place) === section else { return nil }
        let item = section.rows.partitionPoint { input.compare($0, anchor.row) < 0 }
        return input.state.index(of: ItemPath(section: place, item: item))
    }

    /// Replaces an anchor that changed with its new row, and one that is gone with its neighbour in
    /// the window: the next row that remains, otherwise the previous one, otherwise the row that is
    /// now at its index.
    private func followAnchor() {
        guard let old = anchor, isStale || input.update != nil else { return }
        var rows: [RowKey: (section: ErasedID, row: ListRow)?] = [:]
        // After a failure the changes of earlier turns are unknown.
        let isReordered = isStale || input.update?.isReordered ?? false
        if isReordered {
            for section in input.state.sections {
                for row in section.rows { rows[RowKey(row: row)] = (section.id, row) }
            }
        } else {
            for change in input.update?.rows ?? [] {
                guard let former = change.old else { continue }
                rows[RowKey(row: former.row)] = .some(change.new)
            }
        }
        /// Returns the new row of one in the old window, or `nil` if it is gone.
        func current(_ old: (section: ErasedID, row: ListRow)) -> (
            section: ErasedID, row: ListRow
        )? {
            if let known = rows[RowKey(row: old.row)] { return known }
            return isReordered ? nil : old
        }
        // The window's own state still has the rows before the update.
        var shown: [(section: ErasedID, row: ListRow)] = []
        var place = 0
        for section in state.sections {
            for row in section.rows {
                if row === old.row { place = shown.count }
                shown.append((section.id, row))
            }
        }
        anchor = current(old)
        if anchor != nil { return }
        for candidate in shown[place...].dropFirst() + shown[..<place].reversed() {
            if let row = current(candidate) { return anchor = row }
        }
        let total = input.state.numberOfRows
        if total == 0 { return }
        let path = input.state.path(ofRow: min(anchorIndex, total - 1))
        let section = input.state.sections[path.section]
        anchor = section.rows.element(at: path.item).map { (section.id, $0) }
    }
}
