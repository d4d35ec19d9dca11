import PersistentTrees

/// Where identifiers are: by a table that was made with the snapshot, and by what edits have changed since.
@usableFromInline
struct IdentifierIndex<ID: Hashable & Sendable, Place: Sendable>: Sendable {
    @usableFromInline typealias Changes = PersistentHashMap<ID, Place?>

    @usableFromInline let table: IdentifierTable<ID>?
    /// Nil where an identifier of the table is gone. It outranks the table.
    @usableFromInline var changes = Changes()

    @inlinable
    init(_ table: IdentifierTable<ID>?) { self.table = table }

    /// Where `id` is, or nil if it is not there.
    ///
    /// - Parameter original: the place of an ordinal of the table.
    @inlinable
    func place(of id: ID, original: (_ ordinal: Int) -> Place) -> Place? {
        if table == nil, changes.isEmpty { return nil }
        let hash = Changes.hash(of: id)
        if let change = changes.value(forKey: id, hash: hash) { return change }
        return table?.ordinal(of: id, hash: hash).map(original)
    }

    /// Gives identifiers new places.
    @inlinable
    mutating func update(_ places: some Sequence<(ID, Place)>) {
        var transaction = changes.transaction()
        for (id, place) in places { transaction.updateValue(place, forKey: id) }
        changes = transaction.commit()
    }

    /// Forgets identifiers that are there.
    @inlinable
    mutating func remove(_ ids: some Sequence<ID>) {
        var transaction = changes.transaction()
        for id in ids {
            if table?.ordinal(of: id, hash: Changes.hash(of: id)) == nil {
                transaction.removeValue(forKey: id)
            } else {
                transaction.updateValue(nil, forKey: id)
            }
        }
        changes = transaction.commit()
    }
}
