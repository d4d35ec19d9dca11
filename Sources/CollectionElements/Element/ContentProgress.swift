/// How far one revision of an element has come; guarded by the lock of what holds it.
///
/// There is one for each element, so it is small: what only few need is kept apart.
struct ContentProgress {
    /// Of no meaning while the phase is pending or allocating.
    var size = Size.zero
    var rare: RareState?
    /// Which traits the node had when measuring began.
    var traitsGeneration: UInt32 = 0
    /// Whether measuring has begun: before, the node will have the traits of then.
    var hasBegunMeasuring = false
    var phase = Phase.pending
    /// Whether the function that makes nodes from models has been asked for this one.
    var isProviderTaken = false

    enum Phase: UInt8 {
        case pending
        case allocating
        case measured
        case skipped
        case failed
    }

    /// Made when something rare is first written.
    mutating func ensureRare() -> RareState {
        if let rare { return rare }
        let made = RareState()
        rare = made
        return made
    }

    var measuredSize: Size? {
        switch phase {
        case .pending, .allocating: nil
        case .measured, .skipped, .failed: size
        }
    }
}

/// What few elements and revisions need; guarded by the lock of what holds it.
final class RareState {
    // MARK: Of a revision

    /// Why it failed.
    var error: (any Error)?
    /// The range that it was measured in, where that is another than it came with.
    var measuredRange: SizeRange?
    /// A node made for this revision while the element still shows another; handed over when the
    /// revision deploys.
    var replacement: NodeWithTraits?
    /// Sizes within other ranges, which a layout asked for.
    var furtherSizes: [(range: SizeRange, size: Size)] = []

    // MARK: Of an element

    /// Made for a revision that is not deployed yet; later ones go by this one.
    var upcomingNode: NodeWithTraits?
    /// Was asked for ahead of its turn.
    var earlyNode: EarlyNode?
    /// How many revisions were accepted and not yet shown that may bring another node.
    var replacingRevisions = 0
    /// Whether the node shows an older model than it should, since measuring the newer one failed.
    var lacksModel = false
    /// Called once each, outside the lock, when the claim ends.
    var waiters: [@Sendable () -> Void] = []
    /// The section that the element was first put into, once it was moved out of it for good.
    var firstSection: Weak<CollectionSection>?
    /// The places that the element was given after its first one, oldest first; those that no map
    /// holds any more are nil. Replaced as a whole, so that copies may be read anywhere.
    var laterPlaces: [Weak<ElementPlacing>] = []
}

/// A node that was made for a content that is yet to be shown, and shows those before it as well.
struct EarlyNode {
    let node: any CollectionNode
    let model: (any Sendable)?
}

/// A node, and which traits it was told last.
struct NodeWithTraits {
    let node: any CollectionNode
    let traitsGeneration: UInt32
}
