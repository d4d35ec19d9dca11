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
