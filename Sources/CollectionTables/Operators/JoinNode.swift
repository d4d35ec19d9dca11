import CollectionPipeline
import PersistentTrees

/// The operator `joined(with:)`: adds to each row the row of a table that it refers to.
// Unchecked: confined to the lane of the store, like its superclass.
final class JoinNode: RowNode, @unchecked Sendable {
    private let table: ListNode
    /// Returns the key that a row of the input refers to; `nil` if it refers to none.
    private let reference: @Sendable (ListRow) throws -> ErasedID?
    /// Returns the key of a row of the table.
    private let key: @Sendable (ListRow) -> ErasedID
    /// The rows of the input that refer to each key.
    private var referring: [ErasedID: [ObjectIdentifier: (section: ErasedID, row: ListRow)]] = [:]

    init(
        _ input: ListNode,
        _ table: ListNode,
        reference: @escaping @Sendable (ListRow) throws -> ErasedID?,
        key: @escaping @Sendable (ListRow) -> ErasedID,
        expand: @escaping @Sendable (ListRow) throws -> Expansion
    ) {
        self.table = table
        self.reference = reference
        self.key = key
        super.init(input, .expand(expand), other: table)
    }

    private func reference(of row: ListRow) throws(TableError) -> ErasedID? {
        do { return try reference(row) } catch { throw .operatorThrew(row, error) }
    }

    private func add(_ row: ListRow, _ section: ErasedID) throws(TableError) {
        guard let key = try reference(of: row) else { return }
        referring[key, default: [:]][ObjectIdentifier(row)] = (section, row)
    }

    private func remove(_ row: ListRow) throws(TableError) {
        guard let key = try reference(of: row) else { return }
        referring[key]?[ObjectIdentifier(row)] = nil
        if referring[key]?.isEmpty ?? false { referring[key] = nil }
    }

    override func rebuild() throws(TableError) -> StateEdit {
        referring = [:]
        for section in input.state.sections {
            for row in section.rows { try add(row, section.id) }
        }
        return try super.rebuild()
    }

    /// The changes of the input, and all rows that refer to a changed row of the table.
    override func inputChanges() throws(TableError) -> [RowChange] {
        var changes = try super.inputChanges()
        for change in changes { if let old = change.old { try remove(old.row) } }
        var known: Set<ObjectIdentifier> = []
        for change in changes {
            guard let new = change.new else { continue }
            try add(new.row, new.section)
            known.insert(ObjectIdentifier(new.row))
        }
        for change in table.update?.rows ?? [] {
            guard let row = change.new?.row ?? change.old?.row else { continue }
            let affected = (referring[key(row)] ?? [:]).values
                .sorted { input.compare($0.row, $1.row) < 0 }
            for (section, row) in affected where !known.contains(ObjectIdentifier(row)) {
                changes.append(RowChange(old: (section, row), new: (section, row)))
            }
        }
        return changes
    }
}
