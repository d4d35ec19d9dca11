/// A node that is told how near to the viewport its element is, so that it has what it needs when it is seen,
/// and not for longer.
///
/// Each state is entered and left by turns. Where several change at once, those that end come first, `visible`
/// before `display` before `preload`; then those that begin, the other way round; then the state as a whole.
/// So a node that is visible was asked to get ready before, unless the states are held back on purpose.
///
/// Threading: all of it is called on the main lane, between the passes of the view. A node may change the view
/// or submit from there: what follows from that is told afterwards.
///
/// Source: Texture's interface-state callbacks.
public protocol RangeManagedNode: CollectionNode {
    /// The node may be needed before long. Does nothing by default.
    func didEnterPreloadState()

    /// The node is not needed before long. Does nothing by default.
    func didExitPreloadState()

    /// The node is about to be needed. Does nothing by default.
    func didEnterDisplayState()

    /// What the node keeps in order to be shown may go. Does nothing by default.
    func didExitDisplayState()

    /// The node came into the viewport. Does nothing by default.
    func didEnterVisibleState()

    /// The node went out of the viewport. Does nothing by default.
    func didExitVisibleState()

    /// The state changed; called after the single states are told. Does nothing by default.
    func interfaceStateDidChange(to newState: InterfaceState, from oldState: InterfaceState)
}

extension RangeManagedNode {
    /// Does nothing.
    public func didEnterPreloadState() {}

    /// Does nothing.
    public func didExitPreloadState() {}

    /// Does nothing.
    public func didEnterDisplayState() {}

    /// Does nothing.
    public func didExitDisplayState() {}

    /// Does nothing.
    public func didEnterVisibleState() {}

    /// Does nothing.
    public func didExitVisibleState() {}

    /// Does nothing.
    public func interfaceStateDidChange(
        to newState: InterfaceState,
        from oldState: InterfaceState
    ) {}

    /// Tells what changed, in the order that the protocol promises; nothing where nothing did.
    package func interfaceStateChanges(to newState: InterfaceState, from oldState: InterfaceState) {
        let (ended, begun) = (oldState.subtracting(newState), newState.subtracting(oldState))
        if ended.contains(.visible) { didExitVisibleState() }
        if ended.contains(.display) { didExitDisplayState() }
        if ended.contains(.preload) { didExitPreloadState() }
        if begun.contains(.preload) { didEnterPreloadState() }
        if begun.contains(.display) { didEnterDisplayState() }
        if begun.contains(.visible) { didEnterVisibleState() }
        if newState != oldState { interfaceStateDidChange(to: newState, from: oldState) }
    }
}
