/// Sections of rows: the state of a list in the form that a query or a parsed response returns.
///
/// A section or row has the same identity as before if its identifier is equal. If the identifiers
/// are equal but the rows are not, the row has new contents; the same is true of a section's
/// header. A section is identified by its `id` if its type is `Identifiable`, and by its value
/// otherwise. Both kinds of identifiers must be unique in a state, those of rows across all
/// sections: a controller rejects a state in which one occurs twice, unless
/// ``DifferenceOptions/duplicates`` distinguishes the occurrences.
///
/// ```swift
/// let rows = SectionedRows([("today", [Post(id: 1, text: "Hello")]), ("older", [])])
/// ```
///
/// Complexity: the value shares its arrays; copying it retains three of them.
public struct SectionedRows<
    Section: Equatable & Sendable,
    Row: Identifiable & Equatable & Sendable
>:
    Equatable, Sendable
{
    /// The sections, in order.
    public let sections: [Section]

    /// The rows of each section.
    public let rows: [[Row]]

    /// The number of rows in each section.
    public let shape: HierarchyShape

    private let sectionIDs: [SectionIdentifier]

    /// Creates the state of these sections with their rows. Each section is its own identifier.
    ///
    /// Complexity: O(sections) if the rows are arrays.
    public init(_ sections: some Sequence<(Section, some Sequence<Row>)>)
    where Section: Hashable {
        self.init(sections) { $0 }
    }

    /// Creates the state of these sections with their rows. Sections are identified by their `id`.
    ///
    /// Complexity: O(sections) if the rows are arrays.
    public init(_ sections: some Sequence<(Section, some Sequence<Row>)>)
    where Section: Identifiable, Section.ID: Sendable {
        self.init(sections) { $0.id }
    }

    /// Creates the state of these sections with their rows. Sections are identified by their `id`.
    ///
    /// Complexity: O(sections) if the rows are arrays.
    public init(_ sections: some Sequence<(Section, some Sequence<Row>)>)
    where Section: Identifiable & Hashable, Section.ID: Sendable {
        self.init(sections) { $0.id }
    }

    /// Creates the state without sections.
    public init() { self.init(EmptyCollection<(Section, [Row])>()) { _ in 0 } }

    private init<ID: Hashable & Sendable>(
        _ list: some Sequence<(Section, some Sequence<Row>)>,
        identifiedBy id: (Section) -> ID
    ) {
        var (sections, rows) = ([Section](), [[Row]]())
        for (section, items) in list {
            sections.append(section)
            rows.append(Array(items))
        }
        self.sections = sections
        self.rows = rows
        shape = HierarchyShape(rows.map(\.count))
        sectionIDs = sections.map { SectionIdentifier(id($0)) }
    }

    /// Returns whether sections and rows are equal and in the same order.
    public static func == (left: Self, right: Self) -> Bool {
        left.sections == right.sections && left.rows == right.rows
    }
}

/// The identifier of a section, of any type.
// Unchecked: its value is created from a Sendable value, which AnyHashable does not express, and
// never changes.
private struct SectionIdentifier: Hashable, CustomStringConvertible, @unchecked Sendable {
    private let value: AnyHashable

    init(_ value: some Hashable & Sendable) { self.value = AnyHashable(value) }

    var description: String { "\(value.base)" }
}

extension SectionedRows: CollectionState {
    /// Returns the rows themselves.
    public func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<Row> {
        rows[section][items]
    }

    /// Returns the update that turns `old` into this state, with as few moves as possible.
    ///
    /// Complexity: O(n) comparisons, and a hash for each row that is not found near its place.
    public func changes(
        from old: Self,
        options: DifferenceOptions,
        isCancelled: () -> Bool
    ) throws(DifferenceError) -> ValidatedChangeSet {
        try ValidatedChangeSet(
            from: Array(zip(old.sectionIDs, old.rows)),
            to: Array(zip(sectionIDs, rows)),
            options: options,
            isCancelled: isCancelled
        )
    }
}
