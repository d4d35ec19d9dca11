import CollectionElements
import CollectionLayouts
import CollectionPipeline

/// The elements around a viewport with their states, kept from one update of the ranges to the
/// next, so that only differences are notified.
///
/// A value that receives the current elements and returns the changes. Elements are compared by
/// identity: an element that moves, in the data or in the layout, is the same.
struct RangeMembers {
    struct Member {
        let element: CollectionElement
        let place: LayoutPlace
        /// The frame; `nil` if the layout hides the element.
        let frame: Rect?
        fileprivate(set) var state: InterfaceState = []
        /// The part in the viewport, in the element's own coordinates; `nil` if the element is not
        /// visible.
        fileprivate var visibleRect: Rect?
        /// The node that was notified of the state; `nil` if there was none.
        fileprivate var node: (any CollectionNode)?
        /// Whether the element's measurement was requested.
        fileprivate var isRequested = false

        /// Whether the element has a node that may be released.
        fileprivate var releasesNode: Bool {
            element.elementEnvironment.releasesNodes && element.nodeIfAllocated != nil
        }

        init(_ element: CollectionElement, at place: LayoutPlace, frame: Rect?) {
            (self.element, self.place, self.frame) = (element, place, frame)
        }
    }

    typealias States = (old: InterfaceState, new: InterfaceState)

    /// The current state of one element.
    struct Visibility {
        let state: InterfaceState
        /// The part in the viewport, in the element's own coordinates; `nil` if the element is not
        /// visible.
        let visibleRect: Rect?
    }

    /// A notification about one element, or for a node that the element no longer has.
    struct Change {
        let element: CollectionElement
        /// The last known place.
        let place: LayoutPlace
        let states: States
        /// The node to notify; `nil` if there is none.
        let node: (any CollectionNode)?
        /// The state of which the node was last notified, and the current state.
        let nodeStates: States
        /// The visible part of which the node was last notified, and the current one.
        let visibleRects: (old: Rect?, new: Rect?)
    }

    /// The elements in the loaded pages, ascending by place.
    private(set) var all: [Member] = []
    /// The rectangle that was loaded; `nil` if the known elements are invalid.
    private(set) var rect: Rect?
    /// Elements that are no longer near the viewport, and whose nodes are then released. Elements
    /// that have only left a range are not included: their nodes would be created again and again
    /// when a reader scrolls back and forth, or sizes change.
    private var left: [CollectionElement] = []

    /// Returns whether an element lies in the loaded pages.
    ///
    /// Complexity: O(elements around the viewport).
    func contains(_ element: CollectionElement) -> Bool { all.contains { $0.element === element } }

    /// Removes and returns the elements that have left since the last call.
    mutating func takeLeft() -> [CollectionElement] { exchange(&left, with: []) }

    /// Records that the known elements are invalid.
    mutating func invalidate() { rect = nil }

    /// Replaces the elements with the current ones of the layout, and finds the state of each.
    ///
    /// - Parameters:
    ///   - found: The elements, ascending by place, each once.
    ///   - rect: The rectangle that was queried; `nil` if the next update must query again.
    ///   - visibility: A closure that returns the current state of an element; called once for
    ///     each, ascending by place.
    /// - Returns: The changes, in the order of ``update(_:)``.
    mutating func load(
        _ found: [Member],
        _ rect: Rect?,
        _ visibility: (Member) -> Visibility
    ) -> [Change] {
        var former: [ObjectIdentifier: Int] = [:]
        for (index, member) in all.enumerated() where !member.state.isEmpty {
            former[ObjectIdentifier(member.element)] = index
        }
        var ended: [Change] = []
        var loaded = found
        for index in loaded.indices {
            let key = ObjectIdentifier(loaded[index].element)
            guard let old = former.removeValue(forKey: key) else { continue }
            loaded[index].state = all[old].state
            loaded[index].visibleRect = all[old].visibleRect
            if let node = all[old].node {
                if node === loaded[index].element.nodeIfAllocated {
                    loaded[index].node = node
                } else {
                    // The element was reconfigured and has a new node, which has not been notified
                    // yet.
                    let state = all[old].state
                    ended.append(
                        Change(
                            element: all[old].element,
                            place: all[old].place,
                            states: (state, state),
                            node: node,
                            nodeStates: (state, []),
                            visibleRects: (all[old].visibleRect, nil)
                        )
                    )
                }
            }
        }
        for member in all where former[ObjectIdentifier(member.element)] != nil {
            let nothing = Visibility(state: [], visibleRect: nil)
            ended.append(Self.change(of: member, to: nothing, member.node))
        }
        noteLeft(for: loaded)
        all = loaded
        self.rect = rect
        return update(visibility, after: ended)
    }

    /// Records the elements that are no longer near.
    private mutating func noteLeft(for loaded: [Member]) {
        let gone = all.filter(\.releasesNode)
        guard !gone.isEmpty else { return }
        let kept = Set(loaded.map { ObjectIdentifier($0.element) })
        for member in gone where !kept.contains(ObjectIdentifier(member.element)) {
            left.append(member.element)
        }
    }

    /// The nodes that were notified of their visible part, in the order of their places.
    var visibleNodes: [(place: LayoutPlace, node: any ViewportNode)] {
        all.compactMap { member in
            guard member.visibleRect != nil, let node = member.node as? any ViewportNode
            else { return nil }
            return (member.place, node)
        }
    }

    /// Requests deferred measurements for the elements in range.
    mutating func requestMeasurements() {
        for index in all.indices where !all[index].isRequested && !all[index].state.isEmpty {
            all[index].isRequested = true
            all[index].element.setNeedsMeasuring()
        }
    }

    /// Finds the state of each element.
    ///
    /// - Parameters:
    ///   - visibility: A closure that returns the current state of an element; called once for
    ///     each, ascending by place.
    ///   - ended: The changes of elements that are no longer known.
    /// - Returns: The changes: of visible elements, then of the rest of the display range, then of
    ///   the rest of the preload range, then of all others, each group in the order of places.
    ///
    /// Complexity: O(elements around the viewport), without allocation if nothing changed.
    mutating func update(
        _ visibility: (Member) -> Visibility,
        after ended: [Change] = []
    ) -> [Change] {
        var changes = ended
        for index in all.indices {
            let member = all[index]
            let found = visibility(member)
            // A node that was created later is notified when it is found.
            let node = member.node ?? (found.state.isEmpty ? nil : member.element.nodeIfAllocated)
            let isNews = found.state != member.state || node !== member.node
            let isMoved = found.visibleRect != member.visibleRect
            guard isNews || isMoved else { continue }
            changes.append(Self.change(of: member, to: found, node))
            all[index].state = found.state
            all[index].visibleRect = found.visibleRect
            all[index].node = found.state.isEmpty ? nil : node
        }
        return changes.count < 2 ? changes : Self.urgentFirst(changes)
    }

    private static func change(
        of member: Member,
        to found: Visibility,
        _ node: (any CollectionNode)?
    ) -> Change {
        let wasNotified = member.node != nil
        return Change(
            element: member.element,
            place: member.place,
            states: (member.state, found.state),
            node: node,
            nodeStates: (wasNotified ? member.state : [], found.state),
            visibleRects: (wasNotified ? member.visibleRect : nil, found.visibleRect)
        )
    }

    private static func urgentFirst(_ changes: [Change]) -> [Change] {
        let order: [InterfaceState] = [.visible, .display, .preload]
        func rank(_ change: Change) -> Int {
            order.firstIndex { change.nodeStates.new.contains($0) } ?? order.count
        }
        return (0...order.count).flatMap { wanted in changes.filter { rank($0) == wanted } }
    }
}

/// The queue of notifications of a range controller, the oldest first.
///
/// A value that receives events and returns the next notification. The view's main lane owns it. A
/// node or delegate may respond to a notification in a way that causes more of them. No
/// notification is sent within another one, and beyond a limit the rest is sent in later turns, so
/// that the lane is not blocked.
///
/// | state | ends when | next state |
/// |---|---|---|
/// | `idle` | there are notifications | `notifying` |
/// | `notifying` | the queue is empty | `idle` |
/// | | the limit is reached | `postponed` |
/// | `postponed` | the later turn begins | `notifying` |
struct RangeNotificationQueue {
    enum Item {
        case mode(RangeMode, from: RangeMode)
        case change(RangeMembers.Change)
        /// The element's node must be released after it has received all earlier notifications.
        case left(CollectionElement)
        case scrolling(ScrollingEvent, any ViewportNode, LayoutPlace)
    }

    enum Next {
        case tell(Item)
        /// A later turn must continue.
        case later
        case nothing
    }

    private enum State {
        case idle
        case notifying(left: Int)
        case postponed
    }

    /// The maximum number of notifications in a turn, in addition to those that were waiting when
    /// it began: far more than responses that end by themselves cause, and few enough for one turn.
    static let responseLimit = 128

    private var queue = FIFO<Item>()
    private var state = State.idle

    mutating func add(_ item: Item) { queue.append(item) }

    /// Begins to send notifications, if possible.
    ///
    /// - Parameter isDeferred: Whether this is the later turn.
    /// - Returns: Whether the caller must send: call ``next(mayDefer:)`` until it returns
    ///   `.nothing` or `.later`.
    mutating func notificationBegan(isDeferred: Bool) -> Bool {
        switch state {
        case .idle: state = .notifying(left: queue.count + Self.responseLimit)
        case .postponed where isDeferred: state = .notifying(left: Self.responseLimit)
        // The current loop, or the later turn, will send the new notifications.
        case .notifying, .postponed: return false
        }
        return true
    }

    /// - Parameter mayDefer: Whether a later turn can continue.
    mutating func next(mayDefer: Bool) -> Next {
        guard case .notifying(let left) = state, let item = queue.first else {
            state = .idle
            return .nothing
        }
        if left == 0, mayDefer {
            state = .postponed
            return .later
        }
        state = .notifying(left: max(0, left - 1))
        _ = queue.popFirst()
        return .tell(item)
    }
}
