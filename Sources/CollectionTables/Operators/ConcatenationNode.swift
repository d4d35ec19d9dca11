import CollectionPipeline
import PersistentTrees

/// The operator `concatenated(with:)`: shows the sections of several lists one after the other.
// Unchecked: confined to the lane of the store, like its superclass.
final class ConcatenationNode: ListNode, @unchecked Sendable {
    private let inputs: [ListNode]
    /// Returns a row with a key that tells the lists apart; its origin is the row of the list and
    /// its rank the list's place.
    private let wrap: @Sendable (ListRow, Int) -> ListRow

    /// The identity of a section: the list's place and the section's identity there.
    private struct Section: Hashable, Sendable {
        let list: Int
        let id: ErasedID
    }

    /// The sections of all lists, by their identity here.
    private var origins: [ErasedID: Section] = [:]

    init(_ inputs: [ListNode], wrap: @escaping @Sendable (ListRow, Int) -> ListRow) {
        self.inputs = inputs
        self.wrap = wrap
        super.init(inputs[0].store, inputs: inputs)
    }

    override func compare(_ a: ListRow, _ b: ListRow) -> Int {
        guard a.rank == b.rank, let first = a.origin, let second = b.origin else {
            return a.rank - b.rank
        }
        return inputs[a.rank].compare(first, second)
    }

    override func isOrdered(_ a: ListSection, before b: ListSection) -> Bool {
        guard let first = origins[a.id], let second = origins[b.id] else { return false }
        if first.list != second.list { return first.list < second.list }
        return inputs[first.list].isOrderedByID(original(a, first), before: original(b, second))
    }

    /// Returns a section as the list has it, or had it.
    private func original(_ section: ListSection, _ origin: Section) -> ListSection {
        ListSection(
            origin.id,
            header: section.header,
            group: section.group,
            isDeclared: false,
            rows: RowTree.empty
        )
    }

    private func id(_ list: Int, _ id: ErasedID) -> ErasedID {
        let section = Section(list: list, id: id)
        let result = ErasedID(section)
        origins[result] = section
        return result
    }

    private func wrapped(_ section: ListSection, _ list: Int) -> ListSection {
        let rows = section.rows
        var iterator = rows.makeIterator()
        return ListSection(
            id(list, section.id),
            header: section.header,
            group: section.group,
            isDeclared: section.isDeclared,
            rows: RowTree.of(
                rows.indices.compactMap { _ in iterator.next().map { wrap($0, list) } }
            )
        )
    }

    override func rebuild() throws(TableError) -> StateEdit {
        origins = [:]
        var new: [ListSection] = []
        for (list, input) in inputs.enumerated() {
            for section in input.state.sections { new.append(wrapped(section, list)) }
        }
        return replacing(with: new)
    }

    override func derive() throws(TableError) -> StateEdit {
        let updates = inputs.map(\.update)
        let count = updates.reduce(0) { $0 + ($1?.rows.count ?? 0) }
        if updates.contains(where: { $0?.isReordered ?? false })
            || count > 32 + state.numberOfRows / 8
        {
            return try rebuild()
        }
        var ids: [ErasedID] = []
        var edited: [ErasedID: RowTree] = [:]
        var update = ListUpdate()
        func edit(_ id: ErasedID, _ body: (inout RowTree.Transaction) -> Void) {
            if edited[id] == nil { ids.append(id) }
            var rows = (edited[id] ?? sections[id]?.rows ?? RowTree.empty).transaction()
            body(&rows)
            edited[id] = rows.commit()
        }
        for (list, inputUpdate) in updates.enumerated() {
            for change in inputUpdate?.rows ?? [] {
                var result = RowChange()
                if let old = change.old {
                    let id = id(list, old.section)
                    edit(id) { rows in
                        let probe = wrap(old.row, list)
                        let place = rows.partitionPoint { self.compare($0, probe) < 0 }
                        result.old = (id, rows.remove(at: place))
                    }
                }
                update.rows.append(result)
            }
        }
        var place = 0
        for (list, inputUpdate) in updates.enumerated() {
            for change in inputUpdate?.rows ?? [] {
                if let new = change.new {
                    let id = id(list, new.section)
                    let row = wrap(new.row, list)
                    edit(id) { rows in
                        rows.insert(row, at: rows.partitionPoint { self.compare($0, row) < 0 })
                    }
                    update.rows[place].new = (id, row)
                }
                place += 1
            }
            for header in inputUpdate?.headers ?? [] {
                let id = id(list, header)
                if sections[id] != nil { update.headers.append(id) }
                edit(id) { _ in }
            }
        }
        let changes = ids.compactMap { id -> SectionChange? in
            guard let origin = origins[id], let rows = edited[id] else { return nil }
            return SectionChange(
                id: id,
                rows: rows,
                template: inputs[origin.list].sections[origin.id]
            )
        }
        let isReordering = updates.contains { $0?.isSectionOrderChanged ?? false }
        var result = editing(changes, isReordering: isReordering)
        result.update.rows = update.rows
        result.update.headers = update.headers
        return result
    }
}
