import CollectionElements

/// Sections of rows: a state of a list as a database or a parsed response gives it.
///
/// Sections and rows are the same as before where their identifiers are; a row that is the same and not equal has new
/// contents. Both kinds of identifiers must be unique in a state, rows across all sections: a controller rejects a state
/// in which one occurs twice, unless ``DifferenceOptions/duplicates`` says that occurrences are told apart.
///
/// ```swift
/// let rows = SectionedRows([("today", [Post(id: 1, text: "Hello")]), ("older", [])])
/// ```
///
/// Complexity: the value shares its arrays; copying it is a retain for each of the two.
public struct SectionedRows<
    SectionID: Hashable & Sendable,
    Row: Identifiable & Equatable & Sendable
>:
    Equatable, Sendable
{
    /// The identifiers of the sections, in order.
    public let sectionIDs: [SectionID]

    /// The rows of each section.
    public let rows: [[Row]]

    /// How many rows each section has.
    public let shape: HierarchyShape

    /// Makes the state of these sections, each with its rows.
    ///
    /// Complexity: O(sections) where the rows are arrays.
    public init(_ sections: some Sequence<(SectionID, some Sequence<Row>)>) {
        var (sectionIDs, rows) = ([SectionID](), [[Row]]())
        for (id, items) in sections {
            sectionIDs.append(id)
            rows.append(Array(items))
        }
        self.sectionIDs = sectionIDs
        self.rows = rows
        shape = HierarchyShape(rows.map(\.count))
    }

    /// The state with no sections.
    public init() { self.init(EmptyCollection<(SectionID, [Row])>()) }

    /// Whether sections and rows are equal and in the same order.
    public static func == (left: Self, right: Self) -> Bool {
        left.sectionIDs == right.sectionIDs && left.rows == right.rows
    }
}

extension SectionedRows: CollectionState {
    /// The rows themselves.
    public func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<Row> {
        rows[section][items]
    }

    /// The update that turns `old` into this state, with as few moves as there can be.
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
