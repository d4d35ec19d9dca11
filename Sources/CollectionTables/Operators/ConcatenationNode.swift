import CollectionPipeline
import PersistentTrees

/// The operator `concatenated(with:)`: shows the sections of several lists one after the other.
// Unchecked: confined to the lane of the store, like its superclass.
final class ConcatenationNode: ListNode, @unchecked Sendable {
    /// Returns a row with a key that tells the lists apart; its origin is the row of the list and
    /// its rank the list's place.
    private let wrap: @Sendable (ListRow, Int) -> ListRow

    /// The identity of a section: the list's place and the section's identity there.
    private struct Section: Hashable, Sendable {
        let list: Int
        let id: ErasedID
    }

    init(_ inputs: [ListNode], wrap: @escaping @Sendable (ListRow, Int) -> ListRow) {
        self.wrap = wrap
        super.init(inputs[0].store, inputs: inputs)
    }

    override func compare(_ a: ListRow, _ b: ListRow) -> Int {
        guard a.rank == b.rank, let first = a.origin, let second = b.origin else {
            return a.rank - b.rank
        }
        return inputs[a.rank].compare(first, second)
    }

    override var sectionOrder: ListNode { self }

    override func isOrdered(_ a: ListSection, before b: ListSection) -> Bool {
        guard let first = origin(of: a.id), let second = origin(of: b.id) else { return false }
        if first.list != second.list { return first.list < second.list }
        return inputs[first.list].isOrderedByID(original(a, first), before: original(b, second))
    }

    /// Returns a section as the list has it, or had it.
    private func original(_ section: ListSection, _ origin: Section) -> ListSection {
        ListSection(origin.id, header: section.header, isDeclared: false, rows: RowTree.empty)
    }

    private func id(_ list: Int, _ id: ErasedID) -> ErasedID {
        ErasedID(Section(list: list, id: id))
    }

    private func origin(of id: ErasedID) -> Section? { id.base as? Section }

    private func wrapped(_ section: ListSection, _ list: Int) -> ListSection {
        let rows = section.rows
        var iterator = rows.makeIterator()
        return ListSection(
            id(list, section.id),
            header: section.header,
            isDeclared: section.isDeclared,
            rows: RowTree.of(
                rows.indices.compactMap { _ in iterator.next().map { wrap($0, list) } }
            )
        )
    }

    override func rebuild() throws(TableError) -> StateEdit {
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
            || isTooMany(count)
        {
            return try rebuild()
        }
        var ids: [ErasedID] = []
        var edited: [ErasedID: RowTree] = [:]
        var update = ListUpdate()
        func edit(
            _ id: ErasedID,
            _ body: (inout RowTree.Transaction) throws(TableError) -> Void
        ) throws(TableError) {
            if edited[id] == nil { ids.append(id) }
            var rows = (edited[id] ?? sections[id]?.rows ?? RowTree.empty).transaction()
            try body(&rows)
            edited[id] = rows.commit()
        }
        for (list, inputUpdate) in updates.enumerated() {
            for change in inputUpdate?.rows ?? [] {
                var result = RowChange()
                if let old = change.old {
                    let id = id(list, old.section)
                    try edit(id) { rows throws(TableError) in
                        let probe = wrap(old.row, list)
                        let place = rows.partitionPoint { self.compare($0, probe) < 0 }
                        guard place < rows.count, rows[place].origin === old.row else {
                            throw .inconsistentOrder(old.row)
                        }
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
                    try edit(id) { rows throws(TableError) in
                        rows.insert(row, at: rows.partitionPoint { self.compare($0, row) < 0 })
                    }
                    update.rows[place].new = (id, row)
                }
                place += 1
            }
            for header in inputUpdate?.headers ?? [] {
                let id = id(list, header)
                if sections[id] != nil { update.headers.append(id) }
                try edit(id) { _ throws(TableError) in }
            }
        }
        let changes = ids.compactMap { id -> SectionChange? in
            guard let origin = origin(of: id), let rows = edited[id] else { return nil }
            return SectionChange(
                id: id,
                rows: rows,
                template: inputs[origin.list].sections[origin.id]
            )
        }
        let isReordering = updates.contains { $0?.isSectionOrderChanged ?? false }
        var result = try editing(changes, isReordering: isReordering)
        result.update.rows = update.rows
        result.update.headers = update.headers
        return result
    }
}
