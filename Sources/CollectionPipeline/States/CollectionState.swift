import CollectionSnapshots

/// The complete state of a collection at one time, which
/// ``DataController/apply(_:animated:callerContext:)`` receives.
///
/// ``SectionedRows`` is a state of rows that have an identity and contents. Conform a type of your
/// own if states have another form, such as a tree with some closed branches.
///
/// Shape: sections and items are counted from 0 and refer to this state.
///
/// Threading: a value. It is compared on a worker, which it must not block, and its models are read
/// on the main lane.
public protocol CollectionState<Model>: Sendable {
    /// The model of an item.
    associatedtype Model: Sendable

    /// The models of neighbouring items.
    associatedtype Models: Sequence where Models.Element == Model

    /// The value that the header of a section shows; `Never` if sections have no headers.
    associatedtype Section: Equatable & Sendable = Never

    /// Creates the state without sections.
    init()

    /// The number of items in each section.
    var shape: HierarchyShape { get }

    /// The values that the headers of the sections show, in the order of the sections; empty if
    /// `Section` is `Never`.
    ///
    /// The header of a remaining section is created again if its value differs.
    var sections: [Section] { get }

    /// Returns the models of the items of a section at `items`, in order.
    ///
    /// - Parameters:
    ///   - items: The range of items within the section.
    ///   - section: A section of this state.
    func models(at items: Range<Int>, inSection section: Int) -> Models

    /// Returns this state, to be shown instead of `older`, which was applied before it and has not
    /// been submitted yet. If it is shown instead of several states, it is called for each of them,
    /// the newest first.
    ///
    /// Implement it if a state has more than its contents, such as marks of items to reload. The
    /// default implementation returns the state itself.
    func superseding(_ older: Self) -> Self

    /// The state to keep after it was accepted, without actions that were to be performed once,
    /// such as marked reloads. The default implementation returns the state itself.
    var accepted: Self { get }

    /// Returns the update that turns `old` into this state.
    ///
    /// - Parameters:
    ///   - old: The current state.
    ///   - options: The options of the comparison; ``DifferenceOptions/profile`` is the
    ///     controller's.
    ///   - isCancelled: A closure to call from time to time, which returns whether to cancel the
    ///     comparison.
    /// - Throws: An error if there is no such update, or `cancelled` after a cancellation.
    func changes(
        from old: Self,
        options: DifferenceOptions,
        isCancelled: () -> Bool
    ) throws(DifferenceError) -> ValidatedChangeSet
}

extension CollectionState {
    /// Returns the state itself.
    public func superseding(_ older: Self) -> Self { self }

    /// The state itself.
    public var accepted: Self { self }
}

extension CollectionState where Section == Never {
    /// An empty array: sections have no headers.
    public var sections: [Never] { [] }
}

/// A snapshot is a state: the model of an item is its identifier.
///
/// The marks of a snapshot determine the items that are reloaded and reconfigured, instead of
/// ``DifferenceOptions/contentUpdates``. Its identifiers are unique.
extension CollectionSnapshot: CollectionState {
    /// Returns the identifiers of the items.
    public func models(at items: Range<Int>, inSection section: Int) -> [ItemID] {
        itemIdentifiers(at: items, inSectionAt: section)
    }

    /// Returns this snapshot with the marks of an older one added, except marks of items that no
    /// longer exist.
    public func superseding(_ older: Self) -> Self { addingMarks(of: older) }

    /// The snapshot without marks, because the marked actions have been performed.
    public var accepted: Self {
        var snapshot = self
        snapshot.removeAllMarks()
        return snapshot
    }

    /// Returns the update that turns `old` into this snapshot. If one snapshot was made from the
    /// other, the time is proportional to the edits.
    public func changes(
        from old: Self,
        options: DifferenceOptions,
        isCancelled: () -> Bool
    ) throws(DifferenceError) -> ValidatedChangeSet {
        try changes(
            from: old,
            profile: options.profile,
            animation: options.animation,
            isCancelled: isCancelled
        )
    }
}
