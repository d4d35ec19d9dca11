/// What an application's nodes need to know of their surroundings before they can measure.
///
/// A controller hands its traits to every node: once when the node is made, and again whenever they
/// change.
public struct Traits: Hashable, Sendable {
    /// Pixels for each point.
    public var displayScale: Double

    /// How much larger than usual text is to be.
    public var textScale: Double

    /// Whether lines run from right to left.
    public var isRightToLeft: Bool

    /// Further values of the application's own, by name.
    public var values: [String: String]

    /// Makes traits.
    public init(
        displayScale: Double = 1,
        textScale: Double = 1,
        isRightToLeft: Bool = false,
        values: [String: String] = [:]
    ) {
        self.displayScale = displayScale
        self.textScale = textScale
        self.isRightToLeft = isRightToLeft
        self.values = values
    }
}
