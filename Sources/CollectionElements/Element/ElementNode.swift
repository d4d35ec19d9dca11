/// The node of an element: the node that is shown, the node that will replace it, and the claim on
/// them.
///
/// A value whose methods record events and return the next action. The element's lock guards the
/// value, so it never calls a node.
///
/// | state | contents | next state |
/// |---|---|---|
/// | `absent` | no node | `settled` when a node is made; `early` if the node belongs to a later content revision |
/// | `settled` | one node, which shows the model that it should | `outdated` when a newer model fails; `absent` when the node is no longer needed |
/// | `outdated` | a node that shows an older model than it should | `settled` when a model is measured |
/// | `early` | a node that was requested before its content was prepared | `settled` when that content is shown |
/// | one of these three, with a `next` | the node of a prepared content revision, in addition to the shown node | `settled` when that content is shown |
///
/// The last three are `unsettled`; ``ModelStatus`` distinguishes them.
///
/// A thread that makes or measures a node holds the *claim*; every other thread waits for its end.
struct ElementNode {
    typealias Waiter = @Sendable () -> Void

    enum Claim {
        case free
        case held
        /// The claim is held, and these closures are called when it ends.
        case awaited([Waiter])
    }

    enum State {
        case absent
        case settled(NodeWithTraits)
        // Indirect, because few elements need it.
        indirect case unsettled(NodeWithTraits, ModelStatus, next: NodeWithTraits?)
    }

    /// The relation between the shown node and the model that it should show.
    enum ModelStatus {
        case current
        /// Preparing a newer model failed, so the node shows the previous one.
        case outdated
        /// The node was made for a later content revision with this model, and also shows the
        /// contents before that one.
        case early(model: (any Sendable)?)
    }

    private(set) var claim = Claim.free
    private(set) var state = State.absent

    /// The number of contents that were accepted, are not shown yet, and may replace the node.
    private var replacements: UInt32 = 0

    /// The parts of every state except `absent`.
    private var parts: (shown: NodeWithTraits, standing: ModelStatus, next: NodeWithTraits?)? {
        get {
            switch state {
            case .absent: nil
            case .settled(let node): (node, .current, nil)
            case .unsettled(let node, let standing, let next): (node, standing, next)
            }
        }
        set {
            switch newValue {
            // A node stays until another replaces it or it is released.
            case nil: break
            case (let node, .current, nil)?: state = .settled(node)
            case (let node, let standing, let next)?:
                state = .unsettled(node, standing, next: next)
            }
        }
    }

    var shown: NodeWithTraits? {
        switch state {
        case .absent: nil
        case .settled(let node), .unsettled(let node, _, next: _): node
        }
    }

    /// The node that the element will have once every prepared content revision is shown.
    var newest: NodeWithTraits? {
        switch state {
        case .absent: nil
        case .settled(let node): node
        case .unsettled(let node, _, let next): next ?? node
        }
    }

    /// The node that the element will have once every accepted content revision is shown; `nil` if
    /// that is not known yet.
    var foreseeable: (any CollectionNode)? { replacements == 0 ? newest?.node : nil }

    // MARK: The claim

    /// Requests the claim, to make or measure a node.
    ///
    /// - Returns: Whether the caller has the claim now; otherwise the caller waits.
    mutating func claimRequested() -> Bool {
        guard case .free = claim else { return false }
        claim = .held
        return true
    }

    enum RequestResult {
        case give(any CollectionNode)
        /// The caller has the claim now.
        case make
        case wait
        case giveUp
    }

    /// Requests the node.
    mutating func nodeRequested(isRemoved: Bool) -> RequestResult {
        // Another thread may be measuring the node; the caller receives it nevertheless.
        if let shown { return .give(shown.node) }
        guard case .free = claim else { return .wait }
        if isRemoved { return .giveUp }
        claim = .held
        return .make
    }

    /// Registers a closure that is called when the claim ends.
    ///
    /// - Returns: Whether the closure was registered. If the claim is free, the caller calls it.
    mutating func endAwaited(_ waiter: @escaping Waiter) -> Bool {
        switch claim {
        case .free:
            return false
        case .held:
            claim = .awaited([waiter])
        case .awaited(var waiters):
            // `claim` is changed first, so that the array can grow in place.
            claim = .held
            waiters.append(waiter)
            claim = .awaited(waiters)
        }
        return true
    }

    /// Ends the claim.
    ///
    /// - Returns: The closures to call, in the order of registration.
    mutating func claimEnded() -> [Waiter] {
        defer { claim = .free }
        guard case .awaited(let waiters) = claim else {
            return []
        }
        return waiters
    }

    // MARK: Nodes

    /// Records that the first node was made, for the content that is shown first. There is no node
    /// before: the thread that makes it has the claim.
    mutating func made(_ node: NodeWithTraits) { state = .settled(node) }

    /// Records that the first node was made, for a later content revision with this model.
    mutating func madeEarly(_ node: NodeWithTraits, for model: (any Sendable)?) {
        state = .unsettled(node, .early(model: model), next: nil)
    }

    /// Records that a content revision was prepared that has a node of its own, made now or early.
    mutating func replacementPrepared(_ node: NodeWithTraits) {
        // Never absent: a content revision has a node of its own only if the element has another
        // node, or has that node early.
        guard let shown else { return }
        // A node that is shown may have received newer traits than its content has recorded.
        parts?.next = shown.node === node.node ? shown : node
    }

    /// Records that a content revision that may replace the node was accepted.
    mutating func replacementAccepted() { replacements += 1 }

    /// Records that a content revision that might have replaced the node is shown.
    mutating func replacementSettled() { if replacements > 0 { replacements -= 1 } }

    /// Records that the node is released by the holder of the claim; no further content revision is
    /// pending for it. Another node is made when one is needed.
    mutating func released() { state = .absent }

    // MARK: Showing

    /// Records that a content revision is shown by its own node.
    mutating func replaced(by node: NodeWithTraits) {
        // Never absent, as in `replacementPrepared(_:)`.
        guard let (shown, _, next) = parts else { return }
        // If the element already shows this node, it may have received newer traits than its
        // content has recorded.
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
        /// The node was made for a later content revision, and must be able to return to that
        /// content's model.
        case updateIfAccepting(any CollectionNode, (any Sendable)?)
    }

    /// Records that a content revision is shown by the existing node.
    ///
    /// - Parameters:
    ///   - isNew: Whether its model differs from that of the previous content.
    ///   - hasFailed: Whether it failed or was skipped.
    mutating func modelShown(isNew: Bool, hasFailed: Bool) -> Update {
        // Absent if the provider failed or never ran: there is no node to update.
        guard let (node, standing, _) = parts else { return .leave }
        switch standing {
        case .current:
            guard isNew else { return .leave }
            if hasFailed { parts?.standing = .outdated }
            return hasFailed ? .leave : .update(node.node)
        case .outdated:
            // When the model is measured again, a model that failed before may be shown.
            if hasFailed { return .leave }
            parts?.standing = .current
            return .update(node.node)
        case .early(let model):
            return hasFailed ? .leave : .updateIfAccepting(node.node, model)
        }
    }

    // MARK: Traits

    /// Returns the nodes that have older traits than those of `generation`, each once.
    func nodes(olderThan generation: UInt32) -> (shown: NodeWithTraits?, next: NodeWithTraits?) {
        func ifOlder(_ node: NodeWithTraits) -> NodeWithTraits? {
            node.traitsGeneration.isOlder(than: generation) ? node : nil
        }
        guard let (shown, _, next) = parts else { return (nil, nil) }
        return (ifOlder(shown), next.flatMap { $0.node === shown.node ? nil : ifOlder($0) })
    }

    /// Records that a node received the traits of `generation`; another node may have replaced it
    /// meanwhile.
    mutating func receivedTraits(_ generation: UInt32, _ node: any CollectionNode) {
        let updated = NodeWithTraits(node: node, traitsGeneration: generation)
        if parts?.shown.node === node { parts?.shown = updated }
        if parts?.next?.node === node { parts?.next = updated }
    }
}

/// A node and the generation of the traits that it received last.
struct NodeWithTraits {
    let node: any CollectionNode
    let traitsGeneration: UInt32
}

extension UInt32 {
    /// Returns whether this generation of traits precedes another; generations wrap around.
    fileprivate func isOlder(than other: UInt32) -> Bool { Int32(bitPattern: self &- other) < 0 }
}
