import CollectionPipeline
import PersistentTrees

/// The operator `aggregated`: adds a value of all rows of a section to its header.
///
/// The values of the rows are in a tree that combines them, so an edit combines only the values on
/// its path, and no value has to be subtracted.
// Unchecked: confined to the lane of the store, like its superclass.
final class AggregationNode<Value: Aggregate>: ListNode, @unchecked Sendable {
    private typealias Values = PersistentSequence<Value, Combined>

    /// The values of consecutive rows, combined.
    private struct Combined: SequenceSummary {
        let value: Value
        init(value: Value) { self.value = value }
        init(of element: Value) { value = element }
        static var zero: Combined { Combined(value: .empty) }
        func combined(with next: Combined) -> Combined {
            Combined(value: value.combined(with: next.value))
        }
    }

    private let input: ListNode
    private let value: @Sendable (ListRow) throws -> Value
    private let header: @Sendable (any Sendable, Value) -> any Sendable
    private var values: [ErasedID: Values] = [:]

    init(
        _ input: ListNode,
        value: @escaping @Sendable (ListRow) throws -> Value,
        header: @escaping @Sendable (any Sendable, Value) -> any Sendable
    ) {
        self.input = input
        self.value = value
        self.header = header
        super.init(input.store, inputs: [input])
    }

    override func compare(_ a: ListRow, _ b: ListRow) -> Int { input.compare(a, b) }

    private func value(of row: ListRow) throws(TableError) -> Value {
        do { return try value(row) } catch { throw .operatorThrew(row, error) }
    }

    /// Returns a section of the input with the value in its header.
    private func aggregated(_ section: ListSection, _ values: Values) -> ListSection {
        ListSection(
            section.id,
            header: header(section.header, values.summary.value),
            isDeclared: section.isDeclared,
            rows: section.rows
        )
    }

    override func rebuild() throws(TableError) -> StateEdit {
        var all: [ErasedID: Values] = [:]
        var new: [ListSection] = []
        for section in input.state.sections {
            var list: [Value] = []
            list.reserveCapacity(section.rows.count)
            for row in section.rows { list.append(try value(of: row)) }
            let values = Values(list)
            all[section.id] = values
            new.append(aggregated(section, values))
        }
        values = all
        return replacing(with: new)
    }

    override func derive() throws(TableError) -> StateEdit {
        guard let inputUpdate = input.update else { return StateEdit(state) }
        if inputUpdate.isReordered || input.isTooMany(inputUpdate.rows.count) {
            return try rebuild()
        }
        var ids: [ErasedID] = []
        var edits: [ErasedID: (old: [ListRow], new: [ListRow])] = [:]
        func touch(_ id: ErasedID) {
            if edits.updateValue(edits[id] ?? ([], []), forKey: id) == nil { ids.append(id) }
        }
        for change in inputUpdate.rows {
            if let old = change.old {
                touch(old.section)
                edits[old.section]?.old.append(old.row)
            }
            if let new = change.new {
                touch(new.section)
                edits[new.section]?.new.append(new.row)
            }
        }
        inputUpdate.headers.forEach(touch)
        var changed: [ErasedID: Values] = [:]
        var changes: [SectionChange] = []
        for id in ids {
            guard let edit = edits[id] else { continue }
            let rows = sections[id]?.rows ?? RowTree.empty
            var list = (values[id] ?? Values()).transaction()
            // Positions are those of the old rows, descending, then those of the new ones,
            // ascending, so that an edit does not move the next one.
            for place in try places(of: edit.old, in: rows).reversed() { list.remove(at: place) }
            guard let section = input.sections[id] else {
                changes.append(SectionChange(id: id, rows: RowTree.empty, template: nil))
                continue
            }
            for row in edit.new.sorted(by: { input.compare($0, $1) < 0 }) {
                let place = section.rows.partitionPoint { input.compare($0, row) < 0 }
                list.insert(try value(of: row), at: place)
            }
            let values = list.commit()
            changed[id] = values
            let template = aggregated(section, values)
            changes.append(SectionChange(id: id, rows: section.rows, template: template))
        }
        let isReordering = inputUpdate.isSectionOrderChanged
        var result = try editing(removingUndeclared(changes), isReordering: isReordering)
        for id in ids { values[id] = changed[id] }
        result.update.rows = inputUpdate.rows
        // Rows that change nearly always change the header too.
        result.update.headers = result.changedSections.map(\.id).filter { sections[$0] != nil }
        return result
    }

    private func places(of rows: [ListRow], in tree: RowTree) throws(TableError) -> [Int] {
        var places: [Int] = []
        for row in rows {
            let place = tree.partitionPoint { input.compare($0, row) < 0 }
            guard tree.element(at: place) === row else { throw .inconsistentOrder(row) }
            places.append(place)
        }
        return places.sorted()
    }

    /// Removes the sections that the input no longer has, even if they were declared.
    private func removingUndeclared(_ changes: [SectionChange]) -> [SectionChange] {
        changes.map { change in
            guard change.template == nil, let old = sections[change.id] else { return change }
            let template = ListSection(
                old.id,
                header: old.header,
                isDeclared: false,
                rows: RowTree.empty
            )
            return SectionChange(id: change.id, rows: RowTree.empty, template: template)
        }
    }
}

/// A value that ``DerivedList/aggregated(_:)`` combines over the rows of each section: a monoid.
///
/// The combination must be associative, with ``empty`` as its neutral element. It need not be
/// commutative, and needs no inverse: values are always combined in the order of the rows.
public protocol Aggregate: Equatable, Sendable {
    /// The value of no rows.
    static var empty: Self { get }

    /// Returns the value of these rows followed by those of `next`.
    func combined(with next: Self) -> Self
}

/// The sum of numbers.
///
/// Floating-point numbers are not added from the first to the last row, so equal rows may have sums
/// that differ by rounding errors.
public struct Sum<Number: AdditiveArithmetic & Sendable>: Aggregate {
    /// The sum.
    public let value: Number

    /// Creates the sum of one number.
    public init(_ value: Number) { self.value = value }

    /// Zero.
    public static var empty: Self { Self(.zero) }

    /// Returns the sum of both.
    public func combined(with next: Self) -> Self { Self(value + next.value) }
}

/// The smallest of any number of values.
public struct Minimum<Value: Comparable & Sendable>: Aggregate {
    /// The smallest value; `nil` if there are none.
    public let value: Value?

    /// Creates the minimum of one value, or of none.
    public init(_ value: Value?) { self.value = value }

    /// The minimum of no values.
    public static var empty: Self { Self(nil) }

    /// Returns the smaller of both.
    public func combined(with next: Self) -> Self {
        guard let value, let other = next.value else { return value == nil ? next : self }
        return other < value ? next : self
    }
}

/// The greatest of any number of values.
public struct Maximum<Value: Comparable & Sendable>: Aggregate {
    /// The greatest value; `nil` if there are none.
    public let value: Value?

    /// Creates the maximum of one value, or of none.
    public init(_ value: Value?) { self.value = value }

    /// The maximum of no values.
    public static var empty: Self { Self(nil) }

    /// Returns the greater of both.
    public func combined(with next: Self) -> Self {
        guard let value, let other = next.value else { return value == nil ? next : self }
        return other > value ? next : self
    }
}

/// A header of ``DerivedList/aggregated(_:)``: the header of a section with the combined value of its
/// rows.
public struct AggregatedHeader<Header: Equatable & Sendable, Value: Aggregate>: Equatable, Sendable
{
    /// The header of the section in the list that was aggregated.
    public let header: Header

    /// The combined value of the section's rows.
    public let value: Value

    package init(header: Header, value: Value) { (self.header, self.value) = (header, value) }
}

extension AggregatedHeader: Hashable where Header: Hashable, Value: Hashable {}
extension Sum: Hashable where Number: Hashable {}
extension Minimum: Hashable where Value: Hashable {}
extension Maximum: Hashable where Value: Hashable {}
