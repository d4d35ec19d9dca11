import CollectionElements

/// What a collection is at one time, whole: what it is told with ``DataController/apply(_:animated:context:)``.
///
/// ``SectionedRows`` is one of rows that have an identity and contents. Conform a type of your own where states have
/// another form, such as a tree of which some branches are closed.
///
/// Shape: sections and items from 0, both in this state.
///
/// Threading: a value. It is compared on a worker, which must not be kept waiting, and asked for models on the main
/// lane.
public protocol CollectionState<Model>: Sendable {
    /// What an item shows.
    associatedtype Model: Sendable

    /// The models of neighbouring items.
    associatedtype Models: Sequence where Models.Element == Model

    /// The value that the header of a section shows; `Never` if sections have no headers.
    associatedtype Section: Equatable & Sendable = Never

    /// The state with no sections.
    init()

    /// How many items each section has.
    var shape: HierarchyShape { get }

    /// What each section's header shows, in the order of the sections; empty if `Section` is `Never`.
    ///
    /// The header of a section that stays is made again if its value is another one.
    var sections: [Section] { get }

    /// The models of the items of a section at `items`, in order.
    ///
    /// - Parameters:
    ///   - items: within the section.
    ///   - section: one of this state.
    func models(at items: Range<Int>, inSection section: Int) -> Models

    /// This state, to be shown in place of `older`, which was applied before it and has not come in yet.
    ///
    /// For what a state has beside its contents, such as marks of what is to be reloaded. The state itself, where
    /// nothing is done about it.
    func superseding(_ older: Self) -> Self

    /// The state as it is kept once it is accepted, without what was to be done once. The state itself, where
    /// nothing is done about it.
    var accepted: Self { get }

    /// The update that turns `old` into this state.
    ///
    /// - Parameters:
    ///   - old: the state that is there.
    ///   - options: how to express what has changed; ``DifferenceOptions/profile`` is the controller's.
    ///   - isCancelled: to be asked now and then whether to give up.
    /// - Throws: why there is none; `cancelled` after giving up.
    func changes(
        from old: Self,
        options: DifferenceOptions,
        isCancelled: () -> Bool
    ) throws(DifferenceError) -> ValidatedChangeSet
}

extension CollectionState {
    /// The state itself.
    public func superseding(_ older: Self) -> Self { self }

    /// The state itself.
    public var accepted: Self { self }
}

extension CollectionState where Section == Never {
    /// No headers.
    public var sections: [Never] { [] }
}
