import CollectionElements

/// What of a ``ComposedLayout`` is no longer right.
///
/// Beside the lists of its superclass, whose elements are asked about and laid out again, it names whole
/// sections.
/// The contexts that the layout makes itself for other bounds and for preferred sizes lead to no
/// layout of anything: what they list merely changed its place.
public final class ComposedInvalidationContext: LayoutInvalidationContext {
    /// The sections to lay out again.
    public internal(set) var sections: Set<Int> = []

    /// The layout itself has done, or need not do, anything about what is listed.
    var isSettled = false

    /// Says nothing, so everything is to be laid out again.
    public required init() { super.init() }

    /// Adds elements to the lists.
    func list(_ places: some Sequence<LayoutPlace>) {
        for place in places {
            switch place.category {
            case .cell: invalidateItems(at: [place.path])
            case .supplementary(let kind):
                invalidateSupplementaryElements(ofKind: kind, at: [place.path])
            case .decoration(let kind):
                invalidateDecorationElements(ofKind: kind, at: [place.path])
            }
        }
    }
}
