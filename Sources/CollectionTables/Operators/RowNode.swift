import CollectionPipeline
import PersistentTrees

/// An operator that makes rows from each row of its input and keeps the sections: `map`, `filter`,
/// `sorted`, `flatMap` and `joined`.
// Unchecked: confined to the lane of the store, like its superclass.
@usableFromInline
class RowNode: ListNode, @unchecked Sendable {
    /// The rows that are made from one row.
    @usableFromInline
    enum Expansion {
        case none
        case one(ListRow)
        case many([ListRow])
    }

    /// The effect of the operator on rows.
    @usableFromInline
    enum Operation: Sendable {
        /// Keeps the rows that are in the mask, of at most 64 rows.
        case filter(RowMask)
        /// Orders the rows of each section.
        case sort(Sorting)
        /// Replaces a row with others, which have the row as their origin and their place as their
        /// rank.
        case expand(@Sendable (ListRow) throws -> Expansion)
    }

    /// Returns the places of the rows that a filter includes, as bits.
    @usableFromInline typealias RowMask =
        @Sendable (
            UnsafeBufferPointer<UnretainedRow>
        ) throws(TableError) -> UInt64

    /// An order of rows.
    @usableFromInline
    struct Sorting: Sendable {
        /// Returns a negative number if the first row is before the second, a positive one if it is
        /// after the second, and 0 if both keep the order of the input.
        let compare: @Sendable (ListRow, ListRow) -> Int
        /// Returns the places of rows, which are in the order of the input, in this order. Throws if
        /// the order is inconsistent.
        let sort: @Sendable ([UnretainedRow]) throws(TableError) -> [Int]

        @usableFromInline
        init(
            compare: @escaping @Sendable (ListRow, ListRow) -> Int,
            sort: @escaping @Sendable ([UnretainedRow]) throws(TableError) -> [Int]
        ) {
            self.compare = compare
            self.sort = sort
        }
    }

    final let input: ListNode
    private(set) final var operation: Operation

    @usableFromInline
    init(_ input: ListNode, _ operation: Operation, other: ListNode? = nil) {
        self.input = input
        self.operation = operation
        super.init(input.store, inputs: [input] + (other.map { [$0] } ?? []))
    }

    /// Replaces the operation with one that makes rows of the same types.
    @usableFromInline
    final func replaceOperation(_ operation: Operation) {
        self.operation = operation
        isStale = true
    }

    // MARK: Order

    final override func compare(_ a: ListRow, _ b: ListRow) -> Int {
        if a === b { return 0 }
        guard case .expand = operation else { return compareOrigins(a, b) }
        let order = compareOrigins(origin(of: a), origin(of: b))
        return order == 0 ? a.rank - b.rank : order
    }

    /// Compares two rows of the input. Rows of equal order keep the order of the input.
    private func compareOrigins(_ a: ListRow, _ b: ListRow) -> Int {
        if case .sort(let sorting) = operation {
            let order = sorting.compare(a, b)
            if order != 0 { return order }
        }
        return input.compare(a, b)
    }

    private func origin(of row: ListRow) -> ListRow {
        if case .expand = operation { row.origin ?? row } else { row }
    }

    // MARK: Evaluation

    /// The changes of the input, in its sections.
    func inputChanges() throws(TableError) -> [RowChange] { input.update?.rows ?? [] }

    override func derive() throws(TableError) -> StateEdit {
        let changes = try inputChanges()
        let update = input.update ?? ListUpdate()
        // If expanded rows are made again, all of their contents are compared.
        let divisor = if case .expand = operation { 6 } else { 24 }
        if update.isReordered || input.isTooMany(changes.count, divisor: divisor) {
            return try rebuild()
        }
        return try edit(for: changes, update)
    }

    override func rebuild() throws(TableError) -> StateEdit {
        var sections: [ListSection] = []
        for section in input.state.sections {
            let rows = try makeRows(of: section.rows)
            if rows.isEmpty, !section.isDeclared { continue }
            sections.append(section.replacing(rows: rows))
        }
        return replacing(with: sections)
    }

    /// Returns the rows that are made from those of a section.
    private func makeRows(of input: RowTree) throws(TableError) -> RowTree {
        switch operation {
        case .sort(let sorting):
            let rows = input.unretainedRows
            let places = try sorting.sort(rows)
            for row in rows { _ = row.retain() }
            return RowTree.of(count: places.count) { rows[places[$0]] }
        case .filter(let mask):
            var rows: [RetainedRow] = []
            do throws(TableError) {
                try input.forEachUnretained(at: input.indices) { leaf throws(TableError) in
                    var places = try mask(leaf)
                    while places != 0 {
                        rows.append(leaf[places.trailingZeroBitCount].retain())
                        places &= places - 1
                    }
                }
            } catch {
                for row in rows { row.release() }
                throw error
            }
            return RowTree.of(count: rows.count) { rows[$0] }
        case .expand:
            var rows: [ListRow] = []
            for row in input {
                switch try expand(row) {
                case .none: break
                case .one(let row): rows.append(row)
                case .many(let many): rows += many
                }
            }
            return RowTree.of(rows)
        }
    }

    private func expand(_ row: ListRow) throws(TableError) -> Expansion {
        do {
            switch operation {
            case .sort: return .one(row)
            case .filter(let mask): return try operation.includes(row, mask) ? .one(row) : .none
            case .expand(let expand): return try expand(row)
            }
        } catch let error as TableError {
            throw error
        } catch {
            throw .operatorThrew(row, error)
        }
    }

    /// The edits of one section.
    private struct Edits {
        var removed: [ListRow] = []
        var inserted: [ListRow] = []
    }

    /// Returns the state after changes of single rows of the input.
    private func edit(
        for changes: [RowChange],
        _ inputUpdate: ListUpdate
    ) throws(TableError) -> StateEdit {
        var order: [ErasedID] = []
        var edits: [ErasedID: Edits] = [:]
        func edit(_ id: ErasedID, _ body: (inout Edits) -> Void) {
            if edits[id] == nil { order.append(id) }
            body(&edits[id, default: Edits()])
        }
        var update = ListUpdate()
        var results: [RowKey: Int] = [:]
        for change in changes {
            if let old = change.old { edit(old.section) { $0.removed.append(old.row) } }
            guard let new = change.new else { continue }
            let rows: [ListRow]
            switch try expand(new.row) {
            case .none: continue
            case .one(let row): rows = [row]
            case .many(let many): rows = many
            }
            for row in rows {
                results[RowKey(row: row)] = update.rows.count
                update.rows.append(RowChange(old: nil, new: (new.section, row)))
                edit(new.section) { $0.inserted.append(row) }
            }
        }
        var sectionChanges: [SectionChange] = []
        for id in order {
            guard let edits = edits[id] else { continue }
            var rows = (sections[id]?.rows ?? RowTree.empty).transaction()
            for origin in edits.removed {
                for row in try remove(origin, from: &rows) {
                    if let place = results[RowKey(row: row)] {
                        update.rows[place].old = (id, row)
                    } else {
                        update.rows.append(RowChange(old: (id, row), new: nil))
                    }
                }
            }
            for row in edits.inserted { try insert(row, into: &rows) }
            sectionChanges.append(
                SectionChange(id: id, rows: rows.commit(), template: input.sections[id])
            )
        }
        for id in inputUpdate.headers {
            guard edits[id] == nil, let section = sections[id] else { continue }
            sectionChanges.append(
                SectionChange(id: id, rows: section.rows, template: input.sections[id])
            )
        }
        update.headers = inputUpdate.headers.filter { sections[$0] != nil }
        update.isSectionOrderChanged = inputUpdate.isSectionOrderChanged
        var result = try editing(sectionChanges, isReordering: update.isSectionOrderChanged)
        result.update = update
        return result
    }

    /// Removes the rows that were made from a row of the input, and returns them.
    private func remove(
        _ origin: ListRow,
        from rows: inout RowTree.Transaction
    ) throws(TableError) -> [ListRow] {
        let place = rows.partitionPoint { compareOrigins(self.origin(of: $0), origin) < 0 }
        var removed: [ListRow] = []
        while place < rows.count, self.origin(of: rows[place]) === origin {
            removed.append(rows.remove(at: place))
        }
        // No row was found at the place of the origin, so none may have been made from it.
        if removed.isEmpty {
            switch try expand(origin) {
            case .none: break
            case .many(let rows) where rows.isEmpty: break
            case .one, .many: throw .inconsistentOrder(origin)
            }
        }
        return removed
    }

    private func insert(
        _ row: ListRow,
        into rows: inout RowTree.Transaction
    ) throws(TableError) {
        let place = rows.partitionPoint { compare($0, row) < 0 }
        // A strict order has the new row between its neighbours, seen from both sides.
        let isAfterPrevious = place == 0 || compare(row, rows[place - 1]) > 0
        let isBeforeNext = place == rows.count || compare(row, rows[place]) < 0
        guard isAfterPrevious, isBeforeNext else { throw .inconsistentOrder(row) }
        rows.insert(row, at: place)
    }
}

/// A `filter` whose predicate can change.
// Unchecked: confined to the lane of the store, like its superclass.
@usableFromInline
final class FilterNode: RowNode, @unchecked Sendable {
    /// The shown rows in each leaf of the input; `nil` if they are not known for its current state.
    private var shownMasks: [UInt64]?

    override func derive() throws(TableError) -> StateEdit {
        shownMasks = nil
        return try super.derive()
    }

    /// Makes the state again after a change of the predicate. If few rows differ, the state is
    /// edited, so that everything that follows costs as much as those rows.
    override func rebuild() throws(TableError) -> StateEdit {
        let oldMasks = shownMasks
        shownMasks = nil
        guard !hasMissedUpdates, input.update == nil, case .filter(let mask) = operation
        else {
            return try super.rebuild()
        }
        var edited: [(section: ListSection, old: RowTree, edits: [Edit])] = []
        var newMasks: [UInt64] = []
        var count = 0
        for section in input.state.sections {
            let old = sections[section.id]?.rows ?? RowTree.empty
            let edits = try edits(of: old, to: section.rows, mask, oldMasks, &newMasks)
            count += edits.count
            if !edits.isEmpty { edited.append((section, old, edits)) }
        }
        shownMasks = newMasks
        if input.isTooMany(count) { return try super.rebuild() }
        var changes: [SectionChange] = []
        var update = ListUpdate()
        for (section, old, edits) in edited {
            let id = section.id
            var rows = old.transaction()
            for edit in edits.reversed() {
                if edit.isInserted {
                    rows.insert(edit.row, at: edit.place)
                    update.rows.append(RowChange(old: nil, new: (id, edit.row)))
                } else {
                    rows.remove(at: edit.place)
                    update.rows.append(RowChange(old: (id, edit.row), new: nil))
                }
            }
            changes.append(SectionChange(id: id, rows: rows.commit(), template: section))
        }
        var edit = try editing(changes)
        edit.update = update
        return edit
    }

    /// A row that the new predicate includes and the old one did not, or the reverse.
    private struct Edit {
        /// The place in the old rows.
        let place: Int
        let row: ListRow
        let isInserted: Bool
    }

    /// Returns the edits that turn the shown rows, which are some of the input's, into those that
    /// the mask includes. Reads both without retaining any row.
    ///
    /// - Parameters:
    ///   - oldMasks: The shown rows in each leaf of the whole input, if they are known.
    ///   - newMasks: The included rows in each leaf so far.
    private func edits(
        of shown: RowTree,
        to input: RowTree,
        _ mask: RowMask,
        _ oldMasks: [UInt64]?,
        _ newMasks: inout [UInt64]
    ) throws(TableError) -> [Edit] {
        let shownRows = oldMasks == nil ? shown.unretainedRows : []
        var edits: [Edit] = []
        var place = 0
        try input.forEachUnretained(at: input.indices) { rows throws(TableError) in
            let included = try mask(rows)
            let old = oldMasks?[newMasks.count] ?? Self.mask(of: shownRows[place...], in: rows)
            newMasks.append(included)
            var differing = included ^ old
            while differing != 0 {
                let offset = differing.trailingZeroBitCount
                let before = old & ((1 << UInt64(offset)) - 1)
                edits.append(
                    Edit(
                        place: place + before.nonzeroBitCount,
                        row: rows[offset].takeUnretainedValue(),
                        isInserted: included & (1 << UInt64(offset)) != 0
                    )
                )
                differing &= differing - 1
            }
            place += old.nonzeroBitCount
        }
        return withExtendedLifetime(shown) { edits }
    }

    /// Returns which rows of a leaf are shown, as bits.
    ///
    /// - Parameter shown: The shown rows from the first one in the leaf or after it.
    private static func mask(
        of shown: ArraySlice<UnretainedRow>,
        in leaf: UnsafeBufferPointer<UnretainedRow>
    ) -> UInt64 {
        var (mask, shown) = (UInt64(0), shown)
        for (offset, row) in leaf.enumerated() where shown.first?.toOpaque() == row.toOpaque() {
            mask |= 1 << UInt64(offset)
            shown.removeFirst()
        }
        return mask
    }
}

extension RowNode.Operation {
    /// Returns whether a filter includes one row.
    fileprivate func includes(
        _ row: ListRow,
        _ mask: RowNode.RowMask
    ) throws(TableError) -> Bool {
        try withUnsafePointer(to: UnretainedRow.passUnretained(row)) { (row) throws(TableError) in
            try mask(UnsafeBufferPointer(start: row, count: 1)) != 0
        }
    }
}
