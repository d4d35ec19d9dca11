/// What elements that come together have in common, kept once for all of them.
@usableFromInline
// Nothing in it, or in its one subclass, ever changes.
package class ElementTerms: @unchecked Sendable {
    /// The kind of supplementary elements; nil for items.
    package let kind: SupplementaryKind?
    /// The sizes that the elements are asked to choose from at first.
    package let sizeRange: SizeRange
    package let surroundings: ElementSurroundings

    package init(
        kind: SupplementaryKind? = nil,
        sizeRange: SizeRange,
        surroundings: ElementSurroundings
    ) {
        self.kind = kind
        self.sizeRange = sizeRange
        self.surroundings = surroundings
    }
}

/// Terms of elements whose nodes are all made from their models by one function.
@usableFromInline
// What it adds is constant.
package final class ModelTerms<Model: Sendable>: ElementTerms, @unchecked Sendable {
    let makeNode: @Sendable (Model) throws -> any CollectionNode

    package init(
        sizeRange: SizeRange,
        surroundings: ElementSurroundings,
        makeNode: @escaping @Sendable (Model) throws -> any CollectionNode
    ) {
        self.makeNode = makeNode
        super.init(sizeRange: sizeRange, surroundings: surroundings)
    }

    /// The same with another size range.
    package func with(sizeRange: SizeRange) -> ModelTerms {
        ModelTerms(sizeRange: sizeRange, surroundings: surroundings, makeNode: makeNode)
    }
}
