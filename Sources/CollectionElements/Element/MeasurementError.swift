/// A node measured itself as something that is no size.
public struct MeasurementError: Error, Hashable, Sendable {
    /// What the node answered.
    public let size: Size
    /// What it was asked for.
    public let sizeRange: SizeRange
}

extension MeasurementError: CustomStringConvertible {
    /// What the node answered, and what may limit it where nothing does.
    public var description: String {
        let answer = "A node measured itself as \(size.width) × \(size.height), which is no size"
        let isUnlimited =
            size.width == .infinity && sizeRange.maximum.width == .infinity
            || size.height == .infinity && sizeRange.maximum.height == .infinity
        guard isUnlimited else { return "\(answer)." }
        return "\(answer): nothing limits it. A view does, or the data source's"
            + " sizeRange(forItemAt:)."
    }
}
