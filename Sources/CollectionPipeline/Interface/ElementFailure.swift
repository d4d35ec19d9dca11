import CollectionElements

/// An element whose node could not be made or measured. It is shown with an estimated size; what it was before
/// goes on where it is reconfigured.
///
/// What it retains: the element, for as long as somebody keeps the failure.
public struct ElementFailure: Sendable {
    /// The change set that brought what failed; with a layout delegate, the one whose layout came upon it.
    public let submission: SubmissionID

    /// What failed: the element, and the revision of it that could not be prepared, with its model.
    public let content: ElementContent

    /// Where the element is in the data source, as of that change set; nil where it is gone again.
    public let dataSourcePath: ItemPath?

    /// Where the view showed the element when it failed; nil where it did not yet.
    public let viewPath: ItemPath?

    /// What the provider or the node threw, or what is wrong with the size.
    public let error: any Error

    /// The element.
    public var element: CollectionElement { content.element }

    /// The kind of a supplementary element; nil for an item.
    public var kind: SupplementaryKind? { element.kind }
}

extension ElementFailure: CustomStringConvertible {
    /// One line, such as `item 0 - 3 (view: 0 - 2) failed in #12: no image`.
    public var description: String {
        let place = dataSourcePath.map { " \($0)" } ?? ""
        let shown = viewPath.map { " (view: \($0))" } ?? ""
        return "\(kind.map { "\($0)" } ?? "item")\(place)\(shown) failed in \(submission): \(error)"
    }
}

/// Those elements of a change set that failed: how many, and the first of them. The change set deploys
/// nevertheless.
public struct FailedElements: Sendable {
    /// How many there are.
    public private(set) var count = 0

    /// The first ones, at most ``limit``, in the order in which they failed.
    public private(set) var first: [ElementFailure] = []

    /// How many are named, so that nothing grows with the collection; events name them all.
    public static var limit: Int { 8 }

    /// Whether nothing failed.
    public var isEmpty: Bool { count == 0 }

    mutating func append(_ failure: ElementFailure) {
        count += 1
        if first.count < Self.limit { first.append(failure) }
    }
}

extension FailedElements: CustomStringConvertible {
    /// How many, and a line for each that is named.
    public var description: String {
        let lines = ["\(count) failed"] + first.map(\.description)
        return (count > first.count ? lines + ["…"] : lines).joined(separator: "\n")
    }
}
