import CollectionPipeline
import PersistentTrees

/// The operator `sectioned(by:)`: divides rows into sections by a value of each row.
// Unchecked: confined to the lane of the store, like its superclass.
@usableFromInline
final class SectioningNode: ListNode, @unchecked Sendable {
    /// A division of rows into sections, which are identified by their headers.
    @usableFromInline
    struct Grouping: Sendable {
        /// Returns the section of a row.
        let section: @Sendable (ListRow) throws(TableError) -> ErasedID
        /// Returns the sections of some rows in the order of their first rows, with the places of
        /// the rows. Retains every row once, unless it throws.
        let divide: Divide

        @usableFromInline typealias Divide =
            @Sendable (
                [UnretainedRow]
            ) throws(TableError) -> [(id: ErasedID, places: [Int])]

        @usableFromInline
        init(
            section: @escaping @Sendable (ListRow) throws(TableError) -> ErasedID,
            divide: @escaping Divide
        ) {
            self.section = section
            self.divide = divide
        }
    }

    /// The order of sections.
    @usableFromInline
    struct Order: Sendable {
        /// The sections that exist even without rows, in order; they are before all others.
        var declared: [ErasedID]
        /// Returns whether a section is before another; `nil` for the order of the first rows.
        var isOrdered: (@Sendable (ErasedID, ErasedID) -> Bool)?

        @usableFromInline
        init(
            declared: [ErasedID] = [],
            isOrdered: (@Sendable (ErasedID, ErasedID) -> Bool)? = nil
        ) {
            self.declared = declared
            self.isOrdered = isOrdered
        }
    }

    private let input: ListNode
    private var grouping: Grouping
    private let order: Order
    private let declaredPlaces: [ErasedID: Int]

    @usableFromInline
    init(_ input: ListNode, _ order: Order, _ grouping: Grouping) {
        self.input = input
        self.order = order
        self.grouping = grouping
        declaredPlaces = Dictionary(
            zip(order.declared, 0...),
            uniquingKeysWith: { first, _ in first }
        )
        super.init(input.store, inputs: [input])
    }

    @usableFromInline
    func replaceGrouping(_ grouping: Grouping) {
        self.grouping = grouping
        isStale = true
    }

    // MARK: Order

    override func compare(_ a: ListRow, _ b: ListRow) -> Int { input.compare(a, b) }

    override var sectionOrder: ListNode { self }

    override func isOrdered(_ a: ListSection, before b: ListSection) -> Bool {
        switch (declaredPlaces[a.id], declaredPlaces[b.id]) {
        case (let a?, let b?): return a < b
        case (_?, nil): return true
        case (nil, _?): return false
        case (nil, nil): break
        }
        if let isOrdered = order.isOrdered { return isOrdered(a.id, b.id) }
        guard let first = a.rows.element(at: 0), let second = b.rows.element(at: 0) else {
            return false
        }
        return input.compare(first, second) < 0
    }

    // MARK: Evaluation

    override func rebuild() throws(TableError) -> StateEdit {
        // The state retains the rows.
        let state = input.state
        var rows: [UnretainedRow] = []
        for section in state.sections { rows += section.rows.unretainedRows }
        if state.sections.count > 1 {
            rows.sort { input.compare($0.takeUnretainedValue(), $1.takeUnretainedValue()) < 0 }
        }
        var sections = try grouping.divide(rows).map { id, places in
            section(id, RowTree.of(count: places.count) { rows[places[$0]] })
        }
        let found = Set(sections.lazy.map(\.id))
        for id in declaredPlaces.keys where !found.contains(id) {
            sections.append(section(id, RowTree.empty))
        }
        sections.sort { isOrdered($0, before: $1) }
        return withExtendedLifetime(state) { replacing(with: sections) }
    }

    private func section(_ id: ErasedID, _ rows: RowTree) -> ListSection {
        ListSection(id, header: id.base, isDeclared: declaredPlaces[id] != nil, rows: rows)
    }

    /// Returns whether sections are in the order of their first rows, and one of these changes.
    private func movesSections(_ changes: [SectionChange]) -> Bool {
        if order.isOrdered != nil { return false }
        return changes.contains { change in
            guard let old = sections[change.id]?.rows.element(at: 0) else { return false }
            guard let new = change.rows.element(at: 0) else { return true }
            return input.compare(old, new) != 0
        }
    }

    override func derive() throws(TableError) -> StateEdit {
        guard let inputUpdate = input.update else { return StateEdit(state) }
        let changes = inputUpdate.rows
        if inputUpdate.isReordered || input.isTooMany(changes.count) {
            return try rebuild()
        }
        var ids: [ErasedID] = []
        var edited: [ErasedID: (template: ListSection, old: [ListRow], new: [ListRow])] = [:]
        func touch(_ id: ErasedID) {
            if edited[id] != nil { return }
            ids.append(id)
            edited[id] = (sections[id] ?? section(id, RowTree.empty), [], [])
        }
        var update = ListUpdate()
        for change in changes {
            var result = RowChange()
            if let old = change.old?.row {
                let id = try grouping.section(old)
                touch(id)
                edited[id]?.old.append(old)
                result.old = (id, old)
            }
            if let new = change.new?.row {
                let id = try grouping.section(new)
                touch(id)
                edited[id]?.new.append(new)
                result.new = (id, new)
            }
            update.rows.append(result)
        }
        var sectionChanges: [SectionChange] = []
        for id in ids {
            guard let (template, old, new) = edited[id] else { continue }
            var rows = template.rows.transaction()
            for row in old {
                let place = rows.partitionPoint { input.compare($0, row) < 0 }
                guard place < rows.count, rows[place] === row else {
                    throw .inconsistentOrder(row)
                }
                rows.remove(at: place)
            }
            for row in new {
                rows.insert(row, at: rows.partitionPoint { input.compare($0, row) < 0 })
            }
            sectionChanges.append(SectionChange(id: id, rows: rows.commit(), template: template))
        }
        var edit = try editing(sectionChanges, isReordering: movesSections(sectionChanges))
        edit.update.rows = update.rows
        return edit
    }
}
