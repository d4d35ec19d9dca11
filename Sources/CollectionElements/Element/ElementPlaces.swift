/// Where an element is: a section and a label within it, which stays the same while other elements come
/// and go. The element's lock guards it.
///
/// An element knows few places: that where it was first put, and one for each time that it was moved or
/// given another label. They serve all maps: the right one for a map is that under which the map has the
/// element.
enum ElementPlaces {
    case none
    /// Where it was first put, and still belongs.
    case first(CollectionSection, label: Int)
    /// It was moved, or given another label.
    case several(Box)

    struct Several {
        /// The section that the element goes with: the first, or where an accepted change set moved it to.
        var home: CollectionSection
        /// Where it was first put.
        let first: Weak<CollectionSection>
        let label: Int
        /// Those after the first, oldest first; those that no map holds any more are nil.
        var later: [Weak<ElementPlacing>] = []
    }

    // Few elements need one. Replaced as a whole, so that it may be read outside the lock.
    final class Box {
        let places: Several
        init(_ places: Several) { self.places = places }
    }

    /// The section that the element goes with; nil before it has a place.
    var home: CollectionSection? {
        switch self {
        case .none: nil
        case .first(let section, label: _): section
        case .several(let box): box.places.home
        }
    }

    /// Those after the first, oldest first.
    var later: [Weak<ElementPlacing>] {
        if case .several(let box) = self { box.places.later } else { [] }
    }

    /// The element was put into a section.
    ///
    /// - Returns: whether that is its first place; others are noted apart.
    mutating func put(_ section: CollectionSection, label: Int) -> Bool {
        guard case .none = self else { return false }
        self = .first(section, label: label)
        return true
    }

    /// The element got a further place, for as long as a map holds that; forgets those that none holds.
    ///
    /// - Returns: those that are held, for the caller to release outside the lock: the map that holds one may
    ///   let it go meanwhile, and what ends with it may be the application's.
    mutating func noted(_ place: ElementPlacing) -> [ElementPlacing] {
        let held = later.compactMap { $0.object }
        var later = held.map { Weak($0) }
        later.append(Weak(place))
        change { $0.later = later }
        return held
    }

    /// A change set was accepted that moves the element. Maps that have it elsewhere hold the section;
    /// nobody else needs that any more.
    mutating func moved(to section: CollectionSection) {
        guard let home, home !== section else { return }
        change { $0.home = section }
    }

    private mutating func change(_ change: (inout Several) -> Void) {
        var places: Several
        switch self {
        // What happens to places follows on the first.
        case .none: return
        case .first(let section, let label):
            places = Several(home: section, first: Weak(section), label: label)
        case .several(let box): places = box.places
        }
        change(&places)
        self = .several(Box(places))
    }
}
