/// A node that is notified of the distance between its element and the viewport, so that it can
/// hold its resources while it is visible, and no longer than necessary.
///
/// Enter and exit calls of each state alternate. If several states change together, the node first
/// receives the exits, `visible` before `display` before `preload`; then the entries in the
/// opposite order; then the change of the whole state. A visible node was therefore prepared
/// before, unless the states are deliberately held back.
///
/// Threading: every method is called on the main lane, between the passes of the view. A node may
/// change the view or submit change sets from there; the resulting notifications follow afterwards.
///
/// Source: Texture's interface-state callbacks.
public protocol RangeManagedNode: CollectionNode {
    /// Notifies the node that it may be needed soon. The default implementation does nothing.
    func didEnterPreloadState()

    /// Notifies the node that it will not be needed soon. The default implementation does nothing.
    func didExitPreloadState()

    /// Notifies the node that it is about to be shown. The default implementation does nothing.
    func didEnterDisplayState()

    /// Notifies the node that it may release the resources for display. The default implementation
    /// does nothing.
    func didExitDisplayState()

    /// Notifies the node that it entered the viewport. The default implementation does nothing.
    func didEnterVisibleState()

    /// Notifies the node that it left the viewport. The default implementation does nothing.
    func didExitVisibleState()

    /// Notifies the node that its state changed, after the calls for the individual states. The
    /// default implementation does nothing.
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

    /// Notifies the node of the changes in the order that the protocol promises; does nothing if
    /// the states are equal.
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

/// The states that a node is in, depending on the distance between its element and the viewport.
///
/// Source: Texture's interface state.
public struct InterfaceState: OptionSet, Hashable, Sendable {
    /// The bits of the state.
    public let rawValue: UInt8

    /// Creates a state from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The node may be needed soon and should start to load its data.
    public static let preload = InterfaceState(rawValue: 1)

    /// The node is about to be shown and should be ready for display.
    public static let display = InterfaceState(rawValue: 2)

    /// The node is in the viewport.
    public static let visible = InterfaceState(rawValue: 4)
}

extension InterfaceState: CustomStringConvertible {
    /// The names of the states, such as `preload, display`, or `none`.
    public var description: String {
        let names: [(InterfaceState, String)] = [
            (.preload, "preload"), (.display, "display"), (.visible, "visible"),
        ]
        let present = names.filter { contains($0.0) }.map(\.1)
        return present.isEmpty ? "none" : present.joined(separator: ", ")
    }
}
