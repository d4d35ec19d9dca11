import CollectionPipeline
import PersistentTrees

/// The operator `sectioned(by:)`: divides rows into sections by a value of each row.
// Unchecked: confined to the lane of the store, like its superclass.
@usableFromInline
final class SectioningNode: ListNode, @unchecked Sendable {
    /// A section as the operator's closure determines it.
    @usableFromInline
    struct Group: Sendable {
        let id: ErasedID
        let header: any Sendable

        @usableFromInline
        init(_ id: ErasedID, header: any Sendable) {
            self.id = id
            self.header = header
        }
    }

    /// The order of sections.
    @usableFromInline
    struct Order: Sendable {
        /// The sections that exist even without rows, in order; they are before all others.
        var declared: [Group]
        /// Returns whether a header is before another; `nil` for the order of the first rows.
        var isOrdered: (@Sendable (any Sendable, any Sendable) -> Bool)?

        @usableFromInline
        init(
            declared: [Group] = [],
            isOrdered: (@Sendable (any Sendable, any Sendable) -> Bool)? = nil
        ) {
            self.declared = declared
            self.isOrdered = isOrdered
        }
    }

    private let input: ListNode
    private var group: @Sendable (ListRow) throws -> Group
    private let order: Order
    private let declaredPlaces: [ErasedID: Int]

    init(_ input: ListNode, _ order: Order, group: @escaping @Sendable (ListRow) throws -> Group) {
        self.input = input
        self.order = order
        self.group = group
        declaredPlaces = Dictionary(
            zip(order.declared.map(\.id), 0...),
            uniquingKeysWith: { first, _ in first }
        )
        super.init(input.store, inputs: [input])
    }

    func replaceGroup(_ group: @escaping @Sendable (ListRow) throws -> Group) {
        self.group = group
        isStale = true
    }

    // MARK: Order

    override func compare(_ a: ListRow, _ b: ListRow) -> Int { input.compare(a, b) }

    override func isOrdered(_ a: ListSection, before b: ListSection) -> Bool {
        switch (declaredPlaces[a.id], declaredPlaces[b.id]) {
        case (let a?, let b?): return a < b
        case (_?, nil): return true
        case (nil, _?): return false
        case (nil, nil): break
        }
        if let isOrdered = order.isOrdered { return isOrdered(a.group, b.group) }
        guard let first = a.rows.element(at: 0), let second = b.rows.element(at: 0) else {
            return false
        }
        return input.compare(first, second) < 0
    }

    // MARK: Evaluation

    private func group(of row: ListRow) throws(TableError) -> Group {
        do { return try group(row) } catch { throw .operatorThrew(row, error) }
    }

    override func rebuild() throws(TableError) -> StateEdit {
        var ids: [ErasedID] = []
        var groups: [ErasedID: (group: Group, rows: [ListRow])] = [:]
        for group in order.declared where groups[group.id] == nil {
            ids.append(group.id)
            groups[group.id] = (group, [])
        }
        for section in input.state.sections {
            for row in section.rows {
                let group = try group(of: row)
                if groups[group.id] == nil { ids.append(group.id) }
                groups[group.id, default: (group, [])].rows.append(row)
            }
        }
        let isDivided = input.state.sections.count > 1
        var sections = ids.compactMap { id -> ListSection? in
            guard let (group, found) = groups[id] else { return nil }
            var rows = found
            if isDivided { rows.sort { input.compare($0, $1) < 0 } }
            return ListSection(
                id,
                header: group.header,
                group: group.header,
                isDeclared: declaredPlaces[id] != nil,
                rows: RowTree.of(rows)
            )
        }
        sections.sort { isOrdered($0, before: $1) }
        return replacing(with: sections)
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
        if inputUpdate.isReordered || changes.count > 32 + input.state.numberOfRows / 8 {
            return try rebuild()
        }
        var ids: [ErasedID] = []
        var edited: [ErasedID: (template: ListSection, old: [ListRow], new: [ListRow])] = [:]
        func touch(_ group: Group) {
            if edited[group.id] != nil { return }
            ids.append(group.id)
            let template =
                sections[group.id]
                ?? ListSection(
                    group.id,
                    header: group.header,
                    group: group.header,
                    isDeclared: declaredPlaces[group.id] != nil,
                    rows: RowTree.empty
                )
            edited[group.id] = (template, [], [])
        }
        var update = ListUpdate()
        for change in changes {
            var result = RowChange()
            if let old = change.old?.row {
                let group = try group(of: old)
                touch(group)
                edited[group.id]?.old.append(old)
                result.old = (group.id, old)
            }
            if let new = change.new?.row {
                let group = try group(of: new)
                touch(group)
                edited[group.id]?.new.append(new)
                result.new = (group.id, new)
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
