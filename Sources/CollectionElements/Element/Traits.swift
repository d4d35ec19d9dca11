import Synchronization

/// The properties of the environment that an application's nodes need in order to measure
/// themselves.
///
/// A controller passes its traits to every node: once when the node is made, and again whenever
/// they change.
public struct Traits: Hashable, Sendable {
    /// The number of pixels per point.
    public var displayScale: Double

    /// The factor by which text is enlarged.
    public var textScale: Double

    /// Whether lines run from right to left.
    public var isRightToLeft: Bool

    /// Further values that the application defines, by name.
    public var values: [String: String]

    /// Creates traits.
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

/// The source of the traits of all elements of one controller.
///
/// The generation increases after the new traits are stored. A thread that reads a generation and
/// then the traits therefore has traits that are at least that new.
package final class TraitSource: Sendable {
    private let traits: Lock<Traits>
    private let counter = Atomic<UInt32>(0)

    package init(_ traits: Traits) { self.traits = Lock(traits) }

    /// The generation of the traits. It wraps around, so comparisons use its age, not its value.
    package var generation: UInt32 { counter.load(ordering: .acquiring) }

    package var current: Traits { traits.withLock { $0 } }

    /// Replaces the traits and returns whether they differ from the previous ones.
    package func replace(with newTraits: Traits) -> Bool {
        let isChange = traits.withLock { exchange(&$0, with: newTraits) != newTraits }
        if isChange { counter.wrappingAdd(1, ordering: .acquiringAndReleasing) }
        return isChange
    }
}
