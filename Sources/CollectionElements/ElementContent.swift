/// One revision of what an element shows: its model, the sizes it may take, and how far measuring has
/// come.
///
/// An element starts with one content; reconfiguring and measuring anew give it further ones. Each
/// ``ElementMap`` holds the content that was accepted with it, so an older map keeps the older one.
///
/// Threading: readable from anywhere; written by the worker that prepares it.
public final class ElementContent: Sendable {
    /// What the data source gave to be shown, where it gives models.
    public let model: (any Sendable)?

    /// The sizes that the element was asked to choose from.
    public let sizeRange: SizeRange

    /// Whether its provider may make a node that takes the place of another; otherwise the provider
    /// is only for an element that has no node by then.
    let mayReplaceNode: Bool

    /// The size to go on with where this content is not measured: that of the content before.
    private let previousSize: Size?

    /// Guarded by the lock: written by the one thread that has claimed the element, read by all.
    private let progress: Lock<Progress>

    private struct Progress {
        var state: ElementState
        var size: Size?
        var provider: NodeProvider?
        /// Which traits the node had when it was measured.
        var traitsGeneration = 0
        /// A node made for this content while the element still shows another; handed over when
        /// the content deploys.
        var replacement: NodeWithTraits?
        /// Sizes within other ranges than that of `state`, which a layout asked for.
        var furtherSizes: [(range: SizeRange, size: Size)] = []
    }

    /// A node, and which traits it was told last.
    struct NodeWithTraits {
        let node: any CollectionNode
        let traitsGeneration: Int
    }

    package init(
        model: (any Sendable)?,
        sizeRange: SizeRange,
        provider: NodeProvider?,
        keepsNode: Bool = false,
        previousSize: Size? = nil
    ) {
        self.model = model
        self.sizeRange = sizeRange
        self.previousSize = previousSize
        mayReplaceNode = provider != nil && !keepsNode
        progress = Lock(Progress(state: .pending, size: nil, provider: provider))
    }

    /// How far preparing has come.
    public var state: ElementState { progress.withLock { $0.state } }

    /// The size: measured, or estimated where the element was skipped or failed; nil before.
    public var size: Size? { progress.withLock { $0.size } }

    /// The size to lay out with: measured or estimated.
    public var layoutSize: Size { size ?? estimate }

    /// The size of an element that is not measured: what it was before, or the least that the range
    /// allows.
    var estimate: Size { previousSize ?? sizeRange.estimate }

    /// The state and the size, read together.
    package var stateAndSize: (state: ElementState, size: Size?) {
        progress.withLock { ($0.state, $0.size) }
    }

    package var hasProvider: Bool { progress.withLock { $0.provider != nil } }

    var traitsGeneration: Int {
        get { progress.withLock { $0.traitsGeneration } }
        set { progress.withLock { $0.traitsGeneration = newValue } }
    }

    /// Turns from pending to allocating; answers whether it did.
    func begin() -> Bool {
        progress.withLock { progress in
            guard case .pending = progress.state else { return false }
            progress.state = .allocating
            return true
        }
    }

    /// Gives the provider away: it runs once.
    func takeProvider() -> NodeProvider? {
        progress.withLock { progress in
            defer { progress.provider = nil }
            return progress.provider
        }
    }

    var replacement: NodeWithTraits? { progress.withLock { $0.replacement } }

    func setReplacement(_ replacement: NodeWithTraits) {
        progress.withLock { $0.replacement = replacement }
    }

    /// What a layout asked for before, where it is remembered.
    func furtherSize(in range: SizeRange) -> Size? {
        progress.withLock { $0.furtherSizes.first { $0.range == range }?.size }
    }

    /// Remembers the newest few: a layout tries a handful of ranges at most.
    func addFurtherSize(_ size: Size, in range: SizeRange) {
        progress.withLock { progress in
            if progress.furtherSizes.count >= 4 { progress.furtherSizes.removeFirst() }
            progress.furtherSizes.append((range, size))
        }
    }

    func takeReplacement() -> NodeWithTraits? {
        progress.withLock { progress in
            defer { progress.replacement = nil }
            return progress.replacement
        }
    }

    func finish(_ state: ElementState, size: Size) {
        // What the provider captured is released after the lock is, in case its end runs user code.
        let released = progress.withLock { progress in
            progress.state = state
            progress.size = size
            defer { progress.provider = nil }
            return progress.provider
        }
        _ = released
    }
}

/// How far the preparation of an element's content has come.
public enum ElementState: Sendable {
    /// Nobody has begun.
    case pending
    /// A worker is making or measuring the node.
    case allocating
    /// Measured within this range.
    case measured(SizeRange)
    /// Given up because a later change set removed the element; the size is an estimate.
    case skipped
    /// The node's provider or its measuring threw; the size is an estimate.
    case failed(any Error)
}

extension SizeRange {
    /// The size of an element that could not be measured: the least that the range allows, as far
    /// as that is a number.
    package var estimate: Size {
        Size(
            width: minimum.width.isFinite ? max(0, minimum.width) : 0,
            height: minimum.height.isFinite ? max(0, minimum.height) : 0
        )
    }
}
