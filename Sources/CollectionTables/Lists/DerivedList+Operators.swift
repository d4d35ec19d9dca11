import CollectionPipeline

extension DerivedList {
    // MARK: Rows

    /// Returns the list with each row replaced by the result of `transform`. Keys stay the same.
    ///
    /// A row whose new result equals the previous one does not change in the new list.
    ///
    /// Complexity: one call for each row that changes.
    @inlinable
    public func map<NewRow: Equatable & Sendable>(
        _ transform: @escaping @Sendable (Row) throws -> NewRow
    ) -> DerivedList<Key, NewRow, Header> {
        let operation = RowNode.Operation.expand { row in
            let typed = Self.typed(row)
            let new = try transform(typed.row)
            return .one(TypedRow(typed.key, new, rank: 0, origin: row))
        }
        return DerivedList<Key, NewRow, Header>(RowNode(node, operation))
    }

    /// Returns the list of the rows for which `isIncluded` returns `true`.
    ///
    /// Complexity: one call for each row that changes.
    @inlinable
    public func filter(
        _ isIncluded: @escaping @Sendable (Row) throws -> Bool
    ) -> DerivedList {
        DerivedList(FilterNode(node, Self.filtering(isIncluded)))
    }

    /// Returns the list of the rows for which `isIncluded` returns `true` with the current value of
    /// a parameter.
    ///
    /// Complexity: one call for each row that changes; one call for every row if the parameter
    /// changes.
    @inlinable
    public func filter<Value>(
        _ parameter: LiveParameter<Value>,
        _ isIncluded: @escaping @Sendable (Row, Value) throws -> Bool
    ) -> DerivedList {
        let filter = FilterNode(node, Self.filtering { _ in false })
        parameter.add(filter) { filter, value in
            filter.replaceOperation(Self.filtering { try isIncluded($0, value) })
        }
        return DerivedList(filter)
    }

    @inlinable
    static func filtering(
        _ isIncluded: @escaping @Sendable (Row) throws -> Bool
    ) -> RowNode.Operation {
        .filter { rows throws(TableError) in
            var mask: UInt64 = 0
            for index in rows.indices {
                do {
                    let isIncluded = try rows[index]
                        ._withUnsafeGuaranteedRef { try isIncluded(typed($0).row) }
                    if isIncluded { mask |= 1 << UInt64(index) }
                } catch {
                    throw .operatorThrew(rows[index].takeUnretainedValue(), error)
                }
            }
            return mask
        }
    }

    /// Returns the list with each row replaced by any number of rows, in the order in which
    /// `transform` returns them.
    ///
    /// The key of a new row consists of the key of the row that it is made from, and a key of its
    /// own, which must be unique among the rows made from that row.
    ///
    /// Complexity: one call for each row that changes, and O(log n) for each row made from it.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of rows made from one row, 10,000 by default. More are an error
    ///     (`tooManyRows`), because they are most likely a mistake that would use up the memory.
    ///   - transform: A closure that returns the new rows with their own keys.
    @inlinable
    public func flatMap<NewKey: Hashable & Sendable, NewRow: Equatable & Sendable>(
        limit: Int = 10_000,
        _ transform: @escaping @Sendable (Row) throws -> [(key: NewKey, row: NewRow)]
    ) -> DerivedList<NestedKey<Key, NewKey>, NewRow, Header> {
        let operation = RowNode.Operation.expand { row in
            let typed = Self.typed(row)
            let rows = try transform(typed.row)
            if rows.count > limit { throw TableError.tooManyRows(row, rows.count, limit) }
            var keys: Set<NewKey> = []
            return .many(
                try rows.enumerated().map { place, new in
                    guard keys.insert(new.key).inserted else {
                        throw TableError.duplicateKey("\(new.key)", of: row)
                    }
                    let key = NestedKey(outer: typed.key, inner: new.key)
                    return TypedRow(key, new.row, rank: place, origin: row)
                }
            )
        }
        return DerivedList<NestedKey<Key, NewKey>, NewRow, Header>(
            RowNode(node, operation)
        )
    }

    /// Returns the list with each row joined with the row of a table that it refers to: a left
    /// join. A row without a counterpart stays, and is updated when the counterpart is inserted.
    ///
    /// Complexity: O(log n) for each row that changes, and for each row that refers to a changed
    /// row of the table.
    ///
    /// - Parameters:
    ///   - table: A table of the same store.
    ///   - reference: A closure that returns the identifier of the row of the table that a row
    ///     refers to; `nil` if it refers to none.
    public func joined<Other>(
        with table: LiveTable<Other>,
        on reference: @escaping @Sendable (Row) throws -> Other.ID?
    ) -> DerivedList<Key, JoinedRow<Row, Other>, Header> {
        requireSameStore(table.node)
        let other = table.node
        let join = JoinNode(
            node,
            other,
            reference: { try reference(Self.typed($0).row).map { ErasedID($0) } },
            key: { ErasedID(unsafeDowncast($0, to: TypedRow<Other.ID, Other>.self).key) },
            expand: { row in
                let typed = Self.typed(row)
                let id = try reference(typed.row)
                let joined = JoinedRow(row: typed.row, other: id.flatMap { other.current(id: $0) })
                return .one(TypedRow(typed.key, joined, rank: 0, origin: row))
            }
        )
        return DerivedList<Key, JoinedRow<Row, Other>, Header>(join)
    }

    // MARK: Order

    /// Returns the list with the rows of each section in the order that `isOrdered` defines. Rows
    /// of equal order keep the order of this list.
    ///
    /// Complexity: O(log n) calls for each row that changes.
    ///
    /// - Parameter isOrdered: A closure that returns whether the first row is before the second: a
    ///   strict weak order.
    @inlinable
    public func sorted(by isOrdered: @escaping @Sendable (Row, Row) -> Bool) -> DerivedList {
        DerivedList(RowNode(node, Self.sorting(isOrdered)))
    }

    /// Returns the list with the rows of each section in an order that depends on the current value
    /// of a parameter. Rows of equal order keep the order of this list.
    ///
    /// Complexity: O(log n) calls for each row that changes; O(n log n) if the parameter changes.
    @inlinable
    public func sorted<Value>(
        _ parameter: LiveParameter<Value>,
        by isOrdered: @escaping @Sendable (Row, Row, Value) -> Bool
    ) -> DerivedList {
        let sorted = RowNode(node, Self.sorting { _, _ in false })
        parameter.add(sorted) { sorted, value in
            sorted.replaceOperation(Self.sorting { isOrdered($0, $1, value) })
        }
        return DerivedList(sorted)
    }

    /// Returns the list with the rows of each section ordered by a value of each row. Values that
    /// are not equal to themselves, such as the floating-point NaN, are last in both directions.
    ///
    /// Complexity: O(log n) comparisons for each row that changes.
    ///
    /// - Parameters:
    ///   - value: A closure that returns the value of a row.
    ///   - descending: Whether greater values are first. Rows with equal values keep the order of
    ///     this list in both directions.
    @inlinable
    public func sorted<Value: Comparable & SendableMetatype>(
        on value: @escaping @Sendable (Row) -> Value,
        descending: Bool = false
    ) -> DerivedList {
        @Sendable func isOrdered(_ first: Value, _ second: Value) -> Bool {
            // A value that differs from itself has no place in its own order.
            if first != first { return false }
            if second != second { return true }
            return descending ? second < first : first < second
        }
        return DerivedList(
            RowNode(node, Self.sorting(on: value, by: isOrdered))
        )
    }

    @inlinable
    static func sorting(
        _ isOrdered: @escaping @Sendable (Row, Row) -> Bool
    ) -> RowNode.Operation {
        sorting(on: { $0 }, by: isOrdered)
    }

    /// Returns the operation that orders rows by a value.
    @inlinable
    static func sorting<Value: SendableMetatype>(
        on value: @escaping @Sendable (Row) -> Value,
        by isOrdered: @escaping @Sendable (Value, Value) -> Bool
    ) -> RowNode.Operation {
        let sorting = RowNode.Sorting { first, second in
            let (first, second) = (value(typed(first).row), value(typed(second).row))
            return isOrdered(first, second) ? -1 : isOrdered(second, first) ? 1 : 0
        } sort: { rows throws(TableError) in
            // The values are copied once, so that the sort does not look for them in the rows.
            var values = rows.enumerated().map { place, row in
                (value: row._withUnsafeGuaranteedRef { value(typed($0).row) }, place: place)
            }
            values.sort { isOrdered($0.value, $1.value) }
            for next in values.indices.dropFirst()
            where isOrdered(values[next].value, values[next - 1].value) {
                throw .inconsistentOrder(rows[values[next].place].takeUnretainedValue())
            }
            return values.map(\.place)
        }
        return .sort(sorting)
    }

    // MARK: Sections

    /// Returns the list divided into sections by a value of each row, which becomes the section's
    /// header.
    ///
    /// Existing sections are replaced. The rows of a section have the order that they had in this
    /// list before it was divided.
    ///
    /// Complexity: one or two calls and O(log n) for each row that changes; in addition O(s log s)
    /// if the order of s sections changes.
    ///
    /// - Parameters:
    ///   - group: A closure that returns the section of a row.
    ///   - order: The order of the sections; by default that of their first rows.
    public func sectioned<Group: Hashable & Sendable>(
        by group: @escaping @Sendable (Row) throws -> Group,
        order: SectionOrder<Group> = .byFirstRow
    ) -> DerivedList<Key, Row, Group> {
        let sectioned = SectioningNode(node, order.erased, Self.grouping(group))
        return DerivedList<Key, Row, Group>(sectioned)
    }

    /// Returns the list divided into sections by a value that depends on each row and on the current
    /// value of a parameter; otherwise like ``sectioned(by:order:)``.
    ///
    /// Complexity: that of ``sectioned(by:order:)``; O(n log n) if the parameter changes.
    public func sectioned<Value, Group: Hashable & Sendable>(
        _ parameter: LiveParameter<Value>,
        by group: @escaping @Sendable (Row, Value) throws -> Group,
        order: SectionOrder<Group> = .byFirstRow
    ) -> DerivedList<Key, Row, Group> {
        // The parameter replaces this grouping before the list is made.
        let grouping = Self.grouping { _ in WholeList() }
        let sectioned = SectioningNode(node, order.erased, grouping)
        parameter.add(sectioned) { sectioned, value in
            sectioned.replaceGrouping(Self.grouping { try group($0, value) })
        }
        return DerivedList<Key, Row, Group>(sectioned)
    }

    @inlinable
    static func grouping<Group: Hashable & Sendable>(
        _ group: @escaping @Sendable (Row) throws -> Group
    ) -> SectioningNode.Grouping {
        SectioningNode.Grouping { row throws(TableError) in
            do {
                return ErasedID(try group(typed(row).row))
            } catch {
                throw .operatorThrew(row, error)
            }
        } divide: { rows throws(TableError) in
            // With the headers' own type, so that a row costs one look into a dictionary.
            var numbers: [Group: Int] = [:]
            var groups: [(header: Group, places: [Int])] = []
            for (place, row) in rows.enumerated() {
                let header: Group
                do {
                    header = try row._withUnsafeGuaranteedRef { try group(typed($0).row) }
                } catch {
                    for row in rows[..<place] { row.release() }
                    throw .operatorThrew(row.takeUnretainedValue(), error)
                }
                _ = row.retain()
                if let number = numbers[header] {
                    groups[number].places.append(place)
                } else {
                    numbers[header] = groups.count
                    groups.append((header, [place]))
                }
            }
            return groups.map { (ErasedID($0.header), $0.places) }
        }
    }

    /// Returns the list with a total in the header of each section: the combined values of its rows.
    ///
    /// ```swift
    /// let totals = orders.rows.sectioned(by: \.state).aggregated { Sum($0.amount) }
    /// ```
    ///
    /// Complexity: O(log n) combinations for each row that changes.
    ///
    /// - Parameter value: A closure that returns the value of a row: a ``Sum``, ``Minimum``,
    ///   ``Maximum``, or any other ``Aggregate``.
    public func aggregated<Value: Aggregate>(
        _ value: @escaping @Sendable (Row) throws -> Value
    ) -> DerivedList<Key, Row, AggregatedHeader<Header, Value>> {
        let aggregation = AggregationNode<Value>(
            node,
            value: { try value(Self.typed($0).row) },
            header: { header, value in
                guard let header = header as? Header else {
                    fatalError("a header of another type than \(Header.self)")
                }
                return AggregatedHeader(header: header, value: value)
            }
        )
        return DerivedList<Key, Row, AggregatedHeader<Header, Value>>(aggregation)
    }

    /// Returns the sections of this list, followed by those of other lists.
    ///
    /// Rows and sections of different lists are different, even if their keys or headers are equal.
    /// So a row that leaves one list and enters another is removed and inserted. The outer key of a
    /// row is the place of its list, counted from 0.
    ///
    /// Complexity: O(log n) for each row that changes.
    ///
    /// - Parameter others: Lists of the same store.
    public func concatenated(
        with others: DerivedList...
    ) -> DerivedList<NestedKey<Int, Key>, Row, Header> {
        for other in others { requireSameStore(other.node) }
        let inputs = [node] + others.map(\.node)
        let concatenation = ConcatenationNode(inputs) { row, list in
            let typed = Self.typed(row)
            let key = NestedKey(outer: list, inner: typed.key)
            return TypedRow(key, typed.row, rank: list, origin: row)
        }
        return DerivedList<NestedKey<Int, Key>, Row, Header>(concatenation)
    }

    // MARK: Windows

    /// Returns a part of the list: some consecutive rows, counted over all sections, with their
    /// sections. Declared sections are always included.
    ///
    /// Complexity: O(log n) for each update, and the rows that enter or leave. A window around a row
    /// costs O(its rows) in addition, and O(n) when it is set.
    ///
    /// - Parameter window: The rows to show; see ``ListWindow``.
    public func window(_ window: LiveParameter<ListWindow<Key>>) -> DerivedList {
        let part = WindowNode(node, .rows(start: 0, count: 0))
        window.add(part) { part, window in part.replaceRange(window.erased(Row.self)) }
        return DerivedList(part)
    }

    /// Returns the first rows of the list, counted over all sections, with their sections. Declared
    /// sections are always included.
    ///
    /// - Parameter count: The maximum number of rows; a negative one counts as 0.
    public func prefix(_ count: Int) -> DerivedList {
        let part = WindowNode(node, .rows(start: 0, count: max(0, count)))
        return DerivedList(part)
    }

    private func requireSameStore(_ other: ListNode) {
        require(
            node.store === other.store,
            "lists of different stores cannot be combined; create their tables in one store"
        )
    }
}

extension TableError {
    @usableFromInline
    static func duplicateKey(_ key: String, of origin: ListRow) -> TableError {
        TableError(
            .duplicateKey,
            "the row with the key \(origin.keyDescription) was expanded into two rows with the key "
                + "\(key), and the list is unchanged"
        )
    }

    @usableFromInline
    static func tooManyRows(_ row: ListRow, _ count: Int, _ limit: Int) -> TableError {
        TableError(
            .tooManyRows,
            "the row with the key \(row.keyDescription) was expanded into \(count) rows, and the "
                + "limit is \(limit); the list is unchanged"
        )
    }
}

/// The key of a row of ``DerivedList/flatMap(limit:_:)`` or ``DerivedList/concatenated(with:)``: the
/// key of the row or list that it comes from, and a key within that.
public struct NestedKey<Outer: Hashable & Sendable, Inner: Hashable & Sendable>: Hashable, Sendable
{
    /// The key of the row from which this row was made; in a concatenation, the place of the list.
    public let outer: Outer

    /// The key that distinguishes rows with the same outer key.
    public let inner: Inner

    /// Creates a key.
    public init(outer: Outer, inner: Inner) {
        self.outer = outer
        self.inner = inner
    }
}

/// A row of ``DerivedList/joined(with:on:)``: a row with its counterpart in a table.
public struct JoinedRow<Row: Equatable & Sendable, Other: Equatable & Sendable>: Equatable,
    Sendable
{
    /// The row of the list.
    public let row: Row

    /// The row of the table that `row` refers to; `nil` if it does not exist.
    public let other: Other?
}

/// The order of the sections of ``DerivedList/sectioned(by:order:)``.
public struct SectionOrder<Group: Hashable & Sendable>: Sendable {
    let erased: SectioningNode.Order

    /// The order of the first rows of the sections. Sections move if these rows change their order.
    public static var byFirstRow: SectionOrder {
        SectionOrder(erased: SectioningNode.Order())
    }

    /// The order that a closure defines. It must be a strict weak order in which two different
    /// groups are never equal.
    public static func sorted(
        by isOrdered: @escaping @Sendable (Group, Group) -> Bool
    ) -> SectionOrder {
        SectionOrder(
            erased: SectioningNode.Order {
                isOrdered($0.value(as: Group.self), $1.value(as: Group.self))
            }
        )
    }

    /// The order of the given sections, which exist even without rows. All other sections follow
    /// them, in the order of their first rows.
    public static func declared(_ groups: [Group]) -> SectionOrder {
        SectionOrder(erased: SectioningNode.Order(declared: groups.map { ErasedID($0) }))
    }
}

extension SectionOrder where Group: Comparable & SendableMetatype {
    /// The ascending order of the headers.
    public static var ascending: SectionOrder { sorted { $0 < $1 } }

    /// The descending order of the headers.
    public static var descending: SectionOrder { sorted { $0 > $1 } }
}

/// The rows that ``DerivedList/window(_:)`` shows.
public struct ListWindow<Key: Hashable & Sendable>: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
        case rows(start: Int, count: Int)
        case around(Key, before: Int, after: Int)
    }

    private let kind: Kind

    /// A window of the rows at fixed indexes, counted over all sections. A row that is inserted
    /// before the window moves another one out of it.
    ///
    /// - Parameter rows: The indexes. Negative ones, and those beyond the end of the list, are
    ///   ignored.
    public static func rows(_ rows: Range<Int>) -> ListWindow {
        let start = max(0, rows.lowerBound)
        return ListWindow(kind: .rows(start: start, count: max(0, rows.upperBound - start)))
    }

    /// A window of a row, its anchor, and some rows before and after it. The window follows the
    /// anchor when it moves, and when rows are inserted before it.
    ///
    /// If the anchor is removed, the next remaining row of the window becomes the anchor, otherwise
    /// the previous one, otherwise the row that is now at the anchor's index, or the last row. If the
    /// list was empty, or does not contain the anchor when the window is set, the row with `key`
    /// becomes the anchor, otherwise the first row.
    ///
    /// - Parameters:
    ///   - key: The key of the anchor.
    ///   - before: The maximum number of rows before it; a negative one counts as 0.
    ///   - after: The maximum number of rows after it; a negative one counts as 0.
    public static func around(_ key: Key, before: Int, after: Int) -> ListWindow {
        ListWindow(kind: .around(key, before: max(0, before), after: max(0, after)))
    }

    func erased<Row: Equatable & Sendable>(_: Row.Type) -> WindowNode.Range {
        switch kind {
        case .rows(let start, let count): .rows(start: start, count: count)
        case .around(let key, let before, let after):
            .around(
                anchor: { unsafeDowncast($0, to: TypedRow<Key, Row>.self).key == key },
                before: before,
                after: after
            )
        }
    }
}
