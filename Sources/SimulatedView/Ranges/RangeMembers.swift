import CollectionElements
import CollectionLayouts

/// The elements around a viewport, and the state that each was found in: kept from one look to the next, so
/// that only what differs is told.
///
/// A value: it is told what there is and returns what changed. Keyed by identity: an element that moves, in the
/// data or on the page, is the same.
struct RangeMembers {
    struct Member {
        let element: CollectionElement
        let place: LayoutPlace
        /// Nil for what the layout hides.
        let frame: Rect?
        fileprivate(set) var state: InterfaceState = []
        /// Which part of it is in the viewport, in its own coordinates; nil where it is not visible.
        fileprivate var visibleRect: Rect?
        /// Who was told of the state; nil where there is no node, or was none.
        fileprivate var node: (any CollectionNode)?
        /// Whether its size was asked for.
        fileprivate var isAsked = false

        /// Whether there is a node to be released.
        fileprivate var releasesNode: Bool {
            element.surroundings.releasesNodes && element.nodeIfAllocated != nil
        }

        init(_ element: CollectionElement, at place: LayoutPlace, frame: Rect?) {
            (self.element, self.place, self.frame) = (element, place, frame)
        }
    }

    typealias States = (old: InterfaceState, new: InterfaceState)

    /// What is found of one element.
    struct Finding {
        let state: InterfaceState
        /// Which part of it is in the viewport, in its own coordinates; nil where it is not visible.
        let visibleRect: Rect?
    }

    /// What is to be told of one element, or of a node that is no longer its own.
    struct Change {
        let element: CollectionElement
        /// Where it was when it was looked at last.
        let place: LayoutPlace
        let states: States
        /// Who is to be told; nil where there is no node.
        let node: (any CollectionNode)?
        /// The state that the node was told of, and that which it is in now.
        let told: States
        /// The same of which part of it is in the viewport.
        let visibleRects: (old: Rect?, new: Rect?)
    }

    /// Ascending by place: what the layout said of the pages that were asked for.
    private(set) var all: [Member] = []
    /// What was asked for; nil where nothing valid is known.
    private(set) var rect: Rect?
    /// What was near, in a range or not, and is not any more, of elements whose nodes are then released. Not what has
    /// only left a range: it would be made again and again where a reader scrolls to and fro, or sizes turn out
    /// otherwise.
    private var left: [CollectionElement] = []

    /// Whether an element lies in the pages that were asked for.
    ///
    /// Complexity: O(elements around the viewport).
    func contains(_ element: CollectionElement) -> Bool { all.contains { $0.element === element } }

    /// What has left since the last time.
    mutating func takeLeft() -> [CollectionElement] {
        defer { left = [] }
        return left
    }

    /// What is known is no longer right.
    mutating func invalidate() { rect = nil }

    /// Takes what the layout says now in place of what it said before, and finds the state of each.
    ///
    /// - Parameters:
    ///   - found: ascending by place, each element once.
    ///   - rect: what they were asked for with; nil where the next look must ask again.
    ///   - finding: asked once of each, ascending by place.
    /// - Returns: what changed, in the order of ``update(_:)``.
    mutating func load(
        _ found: [Member],
        _ rect: Rect?,
        _ finding: (Member) -> Finding
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
                    // Reconfigured, the element has another, which is yet to be told.
                    let state = all[old].state
                    ended.append(
                        Change(
                            element: all[old].element,
                            place: all[old].place,
                            states: (state, state),
                            node: node,
                            told: (state, []),
                            visibleRects: (all[old].visibleRect, nil)
                        )
                    )
                }
            }
        }
        for member in all where former[ObjectIdentifier(member.element)] != nil {
            let nothing = Finding(state: [], visibleRect: nil)
            ended.append(Self.change(of: member, to: nothing, member.node))
        }
        noteLeft(for: loaded)
        all = loaded
        self.rect = rect
        return update(finding, after: ended)
    }

    /// Notes what is not near any more.
    private mutating func noteLeft(for loaded: [Member]) {
        let gone = all.filter(\.releasesNode)
        guard !gone.isEmpty else { return }
        let kept = Set(loaded.map { ObjectIdentifier($0.element) })
        for member in gone where !kept.contains(ObjectIdentifier(member.element)) {
            left.append(member.element)
        }
    }

    /// The nodes that were told which part of them is in the viewport, in the order of their places.
    var visibleNodes: [(place: LayoutPlace, node: any ViewportNode)] {
        all.compactMap { member in
            guard member.visibleRect != nil, let node = member.node as? any ViewportNode
            else { return nil }
            return (member.place, node)
        }
    }

    /// Asks for the sizes of what is in a range, which may have been put off.
    mutating func askForMeasuring() {
        for index in all.indices where !all[index].isAsked && !all[index].state.isEmpty {
            all[index].isAsked = true
            all[index].element.setNeedsMeasuring()
        }
    }

    /// Finds the state of each.
    ///
    /// - Parameter finding: asked once of each, ascending by place.
    /// - Returns: what changed: of what is visible now, then of what is else to be displayed, then of what is
    ///   else to be preloaded, then of all others, each in the order of places.
    ///
    /// Complexity: O(elements around the viewport), without allocation where nothing changed.
    mutating func update(_ finding: (Member) -> Finding) -> [Change] {
        update(finding, after: [])
    }

    private mutating func update(
        _ finding: (Member) -> Finding,
        after ended: [Change]
    ) -> [Change] {
        var changes = ended
        for index in all.indices {
            let member = all[index]
            let found = finding(member)
            // A node that is made late is told when it is found.
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
        to found: Finding,
        _ node: (any CollectionNode)?
    ) -> Change {
        let wasTold = member.node != nil
        return Change(
            element: member.element,
            place: member.place,
            states: (member.state, found.state),
            node: node,
            told: (wasTold ? member.state : [], found.state),
            visibleRects: (wasTold ? member.visibleRect : nil, found.visibleRect)
        )
    }

    private static func urgentFirst(_ changes: [Change]) -> [Change] {
        let order: [InterfaceState] = [.visible, .display, .preload]
        func rank(_ change: Change) -> Int {
            order.firstIndex { change.told.new.contains($0) } ?? order.count
        }
        return (0...order.count).flatMap { wanted in changes.filter { rank($0) == wanted } }
    }
}
