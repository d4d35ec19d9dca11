import CollectionChanges
import TestSupport

/// A state of numbered sections and items, as plain as can be, whose digest is taken.
struct Listing: DigestedState, Hashable {
    struct Section: Hashable {
        var id: Int
        var items: [Int]
    }

    var sections: [Section]
    /// The items that the update to this state is to reconfigure or to reload.
    var revisions: [Int: Int] = [:]

    init(_ pairs: [(Int, [Int])]) {
        sections = pairs.map { Section(id: $0.0, items: $0.1) }
    }

    var pairs: [(Int, [Int])] { sections.map { ($0.id, $0.items) } }
    var shape: HierarchyShape { HierarchyShape(sections.map(\.items.count)) }
    var numberOfSections: Int { sections.count }

    func numberOfItems(inSection section: Int) -> Int { sections[section].items.count }

    func digest(ofSection section: Int) -> ElementDigest {
        ElementDigest(section: sections[section].id)
    }

    func forEachItemDigest(
        in range: Range<Int>,
        ofSection section: Int,
        _ body: (ElementDigest) -> Void
    ) {
        for item in sections[section].items[range] {
            body(ElementDigest(item: item, revision: revisions[item]))
        }
    }

    // MARK: Random ones

    static func random(_ generator: inout SeededNumbers) -> Listing {
        var next = 0
        return Listing(
            (0..<generator.next(below: 5)).map { section in
                let count = generator.next(below: 5)
                defer { next += count }
                return (section, Array(next..<next + count))
            }
        )
    }

    /// The state after some changes of every kind.
    func changed(_ generator: inout SeededNumbers) -> Listing {
        var new = self
        for _ in 0..<generator.next(below: 6) {
            let places = new.sections.indices.flatMap { section in
                new.sections[section].items.indices.map { ItemPath(section: section, item: $0) }
            }
            switch generator.next(below: 6) {
            case 0:
                let section = Section(id: generator.next(below: 1_000_000) + 100, items: [])
                new.sections.insert(section, at: generator.next(below: new.sections.count + 1))
            case 1 where !new.sections.isEmpty:
                new.sections.remove(at: generator.next(below: new.sections.count))
            case 2 where !new.sections.isEmpty:
                let section = new.sections.remove(at: generator.next(below: new.sections.count))
                new.sections.insert(section, at: generator.next(below: new.sections.count + 1))
            case 3 where !places.isEmpty:
                let path = places[generator.next(below: places.count)]
                new.sections[path.section].items.remove(at: path.item)
            case 4 where !places.isEmpty:
                let path = places[generator.next(below: places.count)]
                let item = new.sections[path.section].items.remove(at: path.item)
                let section = generator.next(below: new.sections.count)
                let position = generator.next(below: new.sections[section].items.count + 1)
                new.sections[section].items.insert(item, at: position)
            case 5 where !places.isEmpty:
                let path = places[generator.next(below: places.count)]
                new.revisions[new.sections[path.section].items[path.item], default: 0] += 1
            default:
                if new.sections.isEmpty { continue }
                let section = generator.next(below: new.sections.count)
                let position = generator.next(below: new.sections[section].items.count + 1)
                let item = generator.next(below: 1_000_000) + 100
                new.sections[section].items.insert(item, at: position)
            }
        }
        return new
    }

    /// The update from another state, which reconfigures or reloads what has another revision.
    func update(
        from old: Listing,
        _ contentUpdates: DifferenceOptions.ContentUpdates = .reconfigure
    ) throws -> ValidatedChangeSet {
        struct Row: Identifiable, Equatable {
            var id: Int
            var revision: Int?
        }
        func rows(_ listing: Listing) -> [(Int, [Row])] {
            listing.sections.map { section in
                (section.id, section.items.map { Row(id: $0, revision: listing.revisions[$0]) })
            }
        }
        let options = DifferenceOptions(contentUpdates: contentUpdates)
        return try ValidatedChangeSet(from: rows(old), to: rows(self), options: options)
    }
}

/// Counts the items that are looked at.
final class CountedListing: DigestedState {
    private let listing: Listing
    private(set) var items = 0

    init(_ listing: Listing) { self.listing = listing }

    var numberOfSections: Int { listing.numberOfSections }
    func numberOfItems(inSection section: Int) -> Int { listing.numberOfItems(inSection: section) }
    func digest(ofSection section: Int) -> ElementDigest { listing.digest(ofSection: section) }

    func forEachItemDigest(
        in range: Range<Int>,
        ofSection section: Int,
        _ body: (ElementDigest) -> Void
    ) {
        listing.forEachItemDigest(in: range, ofSection: section) {
            items += 1
            body($0)
        }
    }
}
