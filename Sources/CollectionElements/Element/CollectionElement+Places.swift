// The place of an element, for code that has only the element, such as its node.

/// The object that keeps the maps of a collection's elements.
package protocol ElementOwner: AnyObject, Sendable {
    /// The newest accepted map and the map that is shown, both read at the same moment.
    var maps: (pending: ElementMap, visible: ElementMap) { get }

    /// Requests another measurement of `element`. Callable from any thread.
    func setNeedsLayout(_ element: CollectionElement)

    /// Requests the size of an element whose measuring may have been deferred. Callable from any
    /// thread.
    func setNeedsMeasuring(_ element: CollectionElement)

    /// Records that the view's size ranges may differ from those that the elements were measured
    /// for. Callable from any thread.
    func setNeedsRelayout()
}

extension CollectionElement {
    private var owner: (any ElementOwner)? { elementEnvironment.owner }

    /// The place of the element in the newest accepted state of the data source; `nil` if the
    /// element was removed or its controller is gone. Callable from any thread.
    ///
    /// Complexity: O(log n).
    public final var dataSourcePlace: ElementPlace? { owner?.maps.pending.place(of: self) }

    /// The place where the view shows the element; `nil` if the view does not show it yet, no
    /// longer shows it, or its controller is gone. Callable from any thread.
    ///
    /// Complexity: O(log n).
    public final var viewPlace: ElementPlace? { owner?.maps.visible.place(of: self) }

    /// Requests another measurement of the element because its node needs another size. Callable
    /// from any thread.
    ///
    /// All requests that are made before the main lane processes them become one update, which
    /// measures on workers as usual. The update waits for the end of an open batch, and for room in
    /// the backlog unless the backlog merges. The controller does not query the data source, except
    /// for the node of an element that failed. The call has no effect if the element was removed or
    /// has not been measured yet. A node that calls this method each time it is measured keeps the
    /// controller busy forever.
    ///
    /// Source: Texture's `setNeedsLayout` of a cell node.
    public final func setNeedsLayout() { owner?.setNeedsLayout(self) }

    /// Requests that the element be measured soon if its controller deferred the measurement.
    /// Callable from any thread, as often as needed.
    ///
    /// All requests that are made before the main lane processes them become one update, as with
    /// ``setNeedsLayout()``; the update notifies the view of the sizes. The call has no effect if
    /// the element is measured or about to be. A `SimulatedCollectionView` calls this method for
    /// the elements that it shows, and its range controller for the elements that enter a range.
    public final func setNeedsMeasuring() {
        if content.isPending { owner?.setNeedsMeasuring(self) }
    }
}

// The places in which maps hold an element, and the section that the element belongs to. When a
// change set removes a whole section, only the section is marked as removed, so no code has to
// visit its elements.

/// A later place of an element. A map holds this object instead of the bare element, so the place
/// stays known exactly as long as a map has the element there.
final class LaterElementPlace: Sendable {
    let content: ElementContent
    let section: CollectionSection
    let label: Int

    init(_ content: ElementContent, _ section: CollectionSection, label: Int) {
        self.content = content
        self.section = section
        self.label = label
    }
}

extension CollectionElement {
    /// Records the first place.
    ///
    /// - Returns: `false` if the element already has a place.
    func place(in section: CollectionSection, label: Int) -> Bool {
        body.withLock { $0.places.put(section, label: label) }
    }

    /// Records another place.
    func note(_ place: LaterElementPlace) {
        // Deallocating the old value may run user code, so it is returned and released outside the
        // lock.
        _ = body.withLock { body in
            let old = body.places
            return (old, body.places.noted(place))
        }
    }

    /// Records that a change set that moves the element to `section` was accepted: from now on, the
    /// element belongs to that section. Main lane.
    ///
    /// The places that maps note cannot show this, because some maps are rejected.
    package func markMoved(to section: CollectionSection) {
        // Released outside the lock, as in `note(_:)`.
        _ = body.withLock { body in
            defer { body.places.moved(to: section) }
            return body.places
        }
    }

    /// Returns the first result of `transform` that is not `nil`, calling it for every place that
    /// the element may have, newest first.
    ///
    /// Complexity: O(places), without allocation.
    func firstPlace<Result>(
        _ transform: (_ section: CollectionSection, _ label: Int) -> Result?
    ) -> Result? {
        switch body.withLock({ $0.places }) {
        case .none:
            return nil
        case .first(let section, let label):
            return transform(section, label)
        case .several(let box):
            for place in box.places.later.reversed() {
                if let place = place.object, let result = transform(place.section, place.label) {
                    return result
                }
            }
            return box.places.first.object.flatMap { transform($0, box.places.label) }
        }
    }

    // MARK: Removal

    /// Whether a change set that removes the element was accepted.
    package var isRemoved: Bool { body.withLock { $0.isRemoved } }

    /// Records that a change set that removes the element was accepted. Main lane.
    package func markRemoved() { body.withLock { $0.isMarkedRemoved = true } }
}

/// The places of an element: each is a section and a label within it, and the label stays the same
/// while other elements are inserted and removed. The element's lock guards them.
///
/// An element has few places: the place where it was first put, and one for each time that it was
/// moved or relabelled. They serve all maps: in each map, the place under which that map holds the
/// element is the right one.
enum ElementPlaces {
    case none
    /// The element is still in its first place.
    case first(CollectionSection, label: Int)
    /// The element was moved or relabelled.
    case several(Box)

    struct MultiplePlaces {
        /// The section that the element belongs to: the first one, or the target of the last
        /// accepted move.
        var home: CollectionSection
        /// The section into which the element was first put.
        let first: Weak<CollectionSection>
        let label: Int
        /// The places after the first, oldest first. A reference is `nil` if no map holds that
        /// place any longer.
        var later: [Weak<LaterElementPlace>] = []
    }

    // A box, because few elements need one. It is replaced as a whole, so it may be read outside
    // the lock.
    final class Box {
        let places: MultiplePlaces
        init(_ places: MultiplePlaces) { self.places = places }
    }

    /// The section that the element belongs to; `nil` before it has a place.
    var home: CollectionSection? {
        switch self {
        case .none: nil
        case .first(let section, label: _): section
        case .several(let box): box.places.home
        }
    }

    /// The places after the first, oldest first.
    var later: [Weak<LaterElementPlace>] {
        if case .several(let box) = self { box.places.later } else { [] }
    }

    /// Records that the element was put into a section.
    ///
    /// - Returns: Whether that is its first place. Further places are noted separately.
    mutating func put(_ section: CollectionSection, label: Int) -> Bool {
        guard case .none = self else { return false }
        self = .first(section, label: label)
        return true
    }

    /// Records a further place, which stays known as long as a map holds it, and drops the places
    /// that no map holds any longer.
    ///
    /// - Returns: The places that are still held. The caller releases them outside the lock: the
    ///   map that holds one may release it meanwhile, and the objects that are then deallocated may
    ///   be the application's.
    mutating func noted(_ place: LaterElementPlace) -> [LaterElementPlace] {
        let held = later.compactMap { $0.object }
        var later = held.map { Weak($0) }
        later.append(Weak(place))
        change { $0.later = later }
        return held
    }

    /// Records that a change set that moves the element was accepted. Maps that have the element in
    /// another place hold that section themselves; no other object needs it any longer.
    mutating func moved(to section: CollectionSection) {
        guard let home, home !== section else { return }
        change { $0.home = section }
    }

    private mutating func change(_ change: (inout MultiplePlaces) -> Void) {
        var places: MultiplePlaces
        switch self {
        // Not reachable: an element that is moved or relabelled has its first place.
        case .none: return
        case .first(let section, let label):
            places = MultiplePlaces(home: section, first: Weak(section), label: label)
        case .several(let box): places = box.places
        }
        change(&places)
        self = .several(Box(places))
    }
}

/// A weak reference that can be stored in a collection.
struct Weak<Object: AnyObject> {
    weak var object: Object?

    init(_ object: Object) { self.object = object }
}
