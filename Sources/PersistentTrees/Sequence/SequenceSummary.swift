/// What a ``PersistentSequence`` sums up over its elements, beside their number.
///
/// Combining must be associative, with `zero` as its neutral element; the order of the elements is
/// kept.
@usableFromInline
package protocol SequenceSummary: Sendable {
    associatedtype Element

    /// The summary of no elements.
    static var zero: Self { get }

    /// The summary of one element.
    init(of element: Element)

    /// The summary of what this one is of, followed by what `next` is of.
    func combined(with next: Self) -> Self
}

/// Nothing but the number of elements: takes no room, and is never computed.
@usableFromInline
package struct NoSummary<Element>: SequenceSummary {
    @inlinable
    package init() {}

    @inlinable
    package init(of element: Element) {}

    @inlinable
    package static var zero: Self { Self() }

    @inlinable
    package func combined(with next: Self) -> Self { next }
}
