import CollectionPipeline
import PersistentTrees

/// The rows of a table or a ``DerivedList`` at one version.
///
/// A state is a value that never changes. Pass it to a controller that was created for its type:
///
/// ```swift
/// let controller = DataController(
///     states: DerivedState<Int, Order, String>.self,
///     view: view,
///     makeNode: { order in PostNode(order.customer) }
/// )
/// try await controller.apply(byState.state)
/// ```
///
/// Shape: sections and rows are counted from 0.
///
/// Complexity: O(1) to copy; O(log n) to read a row. States of one list share everything that they
/// have in common.
public struct DerivedState<
    Key: Hashable & Sendable,
    Row: Equatable & Sendable,
    Header: Equatable & Sendable
>: Sendable {
    let list: ListState

    /// The version of the store when the list was made, or when it last changed; 0 before the first
    /// version.
    public let version: Int

    init(_ list: ListState, version: Int) {
        self.list = list
        self.version = version
    }

    /// Creates the state without sections.
    public init() { self.init(ListState(), version: 0) }

    /// The number of sections.
    public var numberOfSections: Int { list.sections.count }

    /// The number of rows in all sections.
    public var numberOfRows: Int { list.numberOfRows }

    /// Returns the header of a section, or `nil` if there is no such section.
    public func header(ofSection section: Int) -> Header? {
        list.sections.element(at: section).map(Self.header)
    }

    private static func header(_ section: ListSection) -> Header {
        guard let header = section.header as? Header else {
            fatalError("a header of another type than \(Header.self)")
        }
        return header
    }

    /// Returns the row at a path, or `nil` if there is none.
    public func row(at path: ItemPath) -> Row? { list.row(at: path).map { Self.typed($0).row } }

    /// Returns the key of the row at a path, or `nil` if there is none.
    public func key(at path: ItemPath) -> Key? { list.row(at: path).map { Self.typed($0).key } }

    static func typed(_ row: ListRow) -> TypedRow<Key, Row> {
        unsafeDowncast(row, to: TypedRow<Key, Row>.self)
    }

    /// The rows of each section, in order.
    ///
    /// Complexity: O(n).
    public var rows: [[Row]] { list.sections.map { $0.rows.map { Self.typed($0).row } } }

    /// The keys of the rows of each section, in order.
    ///
    /// Complexity: O(n).
    public var keys: [[Key]] { list.sections.map { $0.rows.map { Self.typed($0).key } } }
}

extension DerivedState: CollectionState {
    /// The headers of the sections.
    ///
    /// Complexity: O(s) for s sections.
    public var sections: [Header] { list.sections.map(Self.header) }

    /// The number of rows in each section.
    ///
    /// Complexity: O(s) for s sections.
    public var shape: HierarchyShape { HierarchyShape(list.sections.map(\.rows.count)) }

    /// Returns the rows of a section at `items`, in order.
    public func models(at items: Range<Int>, inSection section: Int) -> [Row] {
        guard let rows = list.sections.element(at: section)?.rows else { return [] }
        var iterator = rows.makeIterator(from: items.lowerBound)
        return items.compactMap { _ in iterator.next().map { Self.typed($0).row } }
    }

    /// Returns the update that turns `old` into this state, with the fewest moves.
    ///
    /// Complexity: O(k log n + s) for two states of a list of s sections that are k edits apart;
    /// O(n) if the list was made again in between, for example after a change of a parameter. Rows
    /// that the states share are not compared.
    public func changes(
        from old: Self,
        options: DifferenceOptions,
        isCancelled: () -> Bool
    ) throws(DifferenceError) -> ValidatedChangeSet {
        let difference = StateDifference(from: old.list, to: list)
        let reloads = options.contentUpdates == .reload
        return ValidatedChangeSet(
            survivors: difference.runs,
            sections: difference.sections,
            from: old.shape,
            to: shape,
            reconfigured: reloads ? [] : difference.changed,
            replaced: reloads ? difference.changed : [],
            animation: options.animation,
            profile: options.profile
        )
    }
}
