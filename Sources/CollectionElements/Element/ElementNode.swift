/// The node of an element: which one is shown, which one is to follow it, and who is at work on them.
///
/// A value: it is told what happened and returns what is to be done. The element's lock guards it, so it
/// calls no node.
///
/// | state | what there is | goes on when |
/// |---|---|---|
/// | `absent` | no node | one is made: `settled`, or `early` where a later content was to bring it |
/// | `settled` | one node, which shows the model that it should | a newer model fails: `outdated`; nobody needs it any more: `absent` |
/// | `outdated` | a node that shows an older model than it should | a model is measured: `settled` |
/// | `early` | a node that was asked for ahead of its content | that content is shown: `settled` |
/// | one of these three, with a `next` | the node of a content that is prepared, beside the one that is shown | that content is shown: `settled` |
///
/// The last three are `unsettled`, which ``Standing`` tells apart.
///
/// Whoever makes or measures a node holds the *claim*; everyone else waits for its end.
struct ElementNode {
    typealias Waiter = @Sendable () -> Void

    enum Claim {
        case free
        case held
        /// Held, and these are to be called when it ends.
        case awaited([Waiter])
    }

    enum State {
        case absent
        case settled(NodeWithTraits)
        // Apart, since few elements need it.
        indirect case unsettled(NodeWithTraits, Standing, next: NodeWithTraits?)
    }

    /// How the node that is shown stands to what it should show.
    enum Standing {
        case current
        /// Preparing a newer model failed, so it shows the one before.
        case outdated
        /// It was made for a content to come, with this model, and shows those before it as well.
        case early(model: (any Sendable)?)
    }

    private(set) var claim = Claim.free
    private(set) var state = State.absent

    /// How many contents were accepted, and are yet to be shown, that may bring another node.
    private var replacements: UInt32 = 0

    /// What there is in every state but `absent`.
    private var parts: (shown: NodeWithTraits, standing: Standing, next: NodeWithTraits?)? {
        get {
            switch state {
            case .absent: nil
            case .settled(let node): (node, .current, nil)
            case .unsettled(let node, let standing, let next): (node, standing, next)
            }
        }
        set {
            switch newValue {
            // A node that is there stays until another takes its place, or it is released.
            case nil: break
            case (let node, .current, nil)?: state = .settled(node)
            case (let node, let standing, let next)?:
                state = .unsettled(node, standing, next: next)
            }
        }
    }

    var shown: NodeWithTraits? { parts?.shown }

    /// The node that there will be once everything that was prepared is shown.
    var newest: NodeWithTraits? { parts.map { $0.next ?? $0.shown } }

    /// The node that there will be once everything that was accepted is shown; nil where nobody can tell.
    var foreseeable: (any CollectionNode)? { replacements == 0 ? newest?.node : nil }

    // MARK: The claim

    /// A thread is to make or measure a node.
    ///
    /// - Returns: whether it has the claim now; otherwise it waits.
    mutating func claimRequested() -> Bool {
        guard case .free = claim else { return false }
        claim = .held
        return true
    }

    enum Answer {
        case give(any CollectionNode)
        /// The asker has the claim now.
        case make
        case wait
        case giveUp
    }

    /// Somebody asks for the node.
    mutating func nodeRequested(isRemoved: Bool) -> Answer {
        // Others may be measuring it: that does not keep anyone from having it.
        if let shown { return .give(shown.node) }
        guard case .free = claim else { return .wait }
        if isRemoved { return .giveUp }
        claim = .held
        return .make
    }

    /// Somebody wants to be called when the claim ends.
    ///
    /// - Returns: whether that will happen; where nobody holds the claim, the caller does it.
    mutating func endAwaited(_ waiter: @escaping Waiter) -> Bool {
        switch claim {
        case .free:
            return false
        case .held:
            claim = .awaited([waiter])
        case .awaited(var waiters):
            // Lets the array be appended to in place.
            claim = .held
            waiters.append(waiter)
            claim = .awaited(waiters)
        }
        return true
    }

    /// The claim ended.
    ///
    /// - Returns: who is to be called, in the order of asking.
    mutating func claimEnded() -> [Waiter] {
        defer { claim = .free }
        guard case .awaited(let waiters) = claim else {
            return []
        }
        return waiters
    }

    // MARK: Nodes

    /// The first node was made, for the content that is shown first. There is none before: whoever makes
    /// it has the claim.
    mutating func made(_ node: NodeWithTraits) { state = .settled(node) }

    /// The first node was made, for a later content with this model.
    mutating func madeEarly(_ node: NodeWithTraits, for model: (any Sendable)?) {
        state = .unsettled(node, .early(model: model), next: nil)
    }

    /// A content was prepared that has a node of its own, made now or early.
    mutating func replacementPrepared(_ node: NodeWithTraits) {
        // Never absent: a content has a node of its own only where the element has another, or that one early.
        guard let shown else { return }
        // One that is shown may have been told newer traits than its content knows of.
        parts?.next = shown.node === node.node ? shown : node
    }

    /// A content that may bring another node was accepted.
    mutating func replacementAccepted() { replacements += 1 }

    /// A content that might have brought another node is shown.
    mutating func replacementSettled() { if replacements > 0 { replacements -= 1 } }

    /// The node, of which nothing is to come but what it shows, is released by whoever has the claim; another is made
    /// when somebody needs one.
    mutating func released() { state = .absent }

    // MARK: Showing

    /// A content is shown by its own node.
    mutating func replaced(by node: NodeWithTraits) {
        // Never absent, as above.
        guard let (shown, _, next) = parts else { return }
        // One that is known here may have been told newer traits than its content knows of.
        let known = shown.node === node.node ? shown : node
        if let next, next.node === node.node {
            parts = (next, .current, nil)
        } else {
            parts = (known, .current, next)
        }
    }

    enum Update {
        case leave
        case update(any CollectionNode)
        /// The node was made for a content to come, and must be able to go back to that one's model.
        case updateIfAccepting(any CollectionNode, (any Sendable)?)
    }

    /// A content is shown by the node that is there.
    ///
    /// - Parameters:
    ///   - isNew: whether its model is another than that of the content before.
    ///   - hasFailed: whether it failed or was skipped.
    mutating func modelShown(isNew: Bool, hasFailed: Bool) -> Update {
        // Absent where the provider failed or never ran: there is nothing to tell.
        guard let (node, standing, _) = parts else { return .leave }
        switch standing {
        case .current:
            guard isNew else { return .leave }
            if hasFailed { parts?.standing = .outdated }
            return hasFailed ? .leave : .update(node.node)
        case .outdated:
            // Measured again, a model may be shown that failed before.
            if hasFailed { return .leave }
            parts?.standing = .current
            return .update(node.node)
        case .early(let model):
            return hasFailed ? .leave : .updateIfAccepting(node.node, model)
        }
    }

    // MARK: Traits

    /// The nodes that have older traits than those of `generation`, each once.
    func nodes(olderThan generation: UInt32) -> (shown: NodeWithTraits?, next: NodeWithTraits?) {
        func ifOlder(_ node: NodeWithTraits) -> NodeWithTraits? {
            node.traitsGeneration.isOlder(than: generation) ? node : nil
        }
        guard let (shown, _, next) = parts else { return (nil, nil) }
        return (ifOlder(shown), next.flatMap { $0.node === shown.node ? nil : ifOlder($0) })
    }

    /// A node was told the traits of `generation`; another may have taken its place meanwhile.
    mutating func told(_ generation: UInt32, _ node: any CollectionNode) {
        let told = NodeWithTraits(node: node, traitsGeneration: generation)
        if parts?.shown.node === node { parts?.shown = told }
        if parts?.next?.node === node { parts?.next = told }
    }
}

/// A node, and which traits it was told last.
struct NodeWithTraits {
    let node: any CollectionNode
    let traitsGeneration: UInt32
}

extension UInt32 {
    /// Whether a generation of traits came before another; they wrap around.
    fileprivate func isOlder(than other: UInt32) -> Bool { Int32(bitPattern: self &- other) < 0 }
}
