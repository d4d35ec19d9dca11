import PersistentTrees
import TestSupport

@testable import CollectionElements

/// Random versions of a map. Some branch from older versions and some are kept. Also holds the
/// elements and sections of all versions.
struct MapHistory {
    private var random: SeededNumbers
    private var maker = ElementMaker()
    private var kept: [MapPicture] = []
    private var elements: [CollectionElement] = []
    private var sections: [CollectionSection] = []
    private(set) var hasRelabelledItems = false
    private(set) var hasRelabelledSections = false

    /// Starts with a few sections whose labels are used up.
    init(seed: UInt64) throws {
        random = SeededNumbers(seed: seed)
        kept = [try MapPicture().loaded([2, 0, 3], &maker)]
        try crowdSections(newest)
        try crowdItems(newest)
    }

    private var newest: MapPicture { kept[kept.count - 1] }

    /// Makes one or several versions and releases one.
    mutating func advance() throws {
        let isBranching = random.isTrue(oneIn: 8)
        let base = isBranching ? kept[random.next(below: kept.count)] : newest
        switch random.next(below: 12) {
        case 0: keep(remeasured(base))
        case 1, 2: try crowdItems(base)
        case 3: try crowdSections(base)
        case 4 where base.shape.numberOfSections > 0: try keep(reloadingKinds(base))
        case 5 where random.isTrue(oneIn: 4):
            keep(try base.loaded([2, 0, 3], &maker))
        default:
            let step = try randomStep(base)
            let first = base.applying(step)
            switch random.next(below: 6) {
            case 0:
                // As if the step had been rejected.
                note(first)
            case 1:
                keep(first)
                keep(base.applying(step))
            default: keep(first)
            }
        }
        while kept.count > 6 { kept.remove(at: random.next(below: kept.count - 1)) }
    }

    private mutating func keep(_ picture: MapPicture) {
        note(picture)
        kept.append(picture)
    }

    private mutating func note(_ picture: MapPicture) {
        let known = Set(elements)
        elements += picture.places.map(\.content.element).filter { !known.contains($0) }
        let knownSections = Set(sections)
        sections += picture.sections.map(\.section).filter { !knownSections.contains($0) }
        // Looking up all earlier elements would take longer than the steps.
        while elements.count > 400 { elements.remove(at: random.next(below: elements.count)) }
    }

    // MARK: Steps

    private mutating func randomStep(_ base: MapPicture) throws -> MapPicture.Step {
        let draft = RandomUpdate(from: base.shape, &random, rate: 0.25)
        let update = try draft.changes.validated(from: base.shape, to: draft.newShape)
        var supplementaries: [Int: MapPicture.Counts] = [:]
        for section in 0..<draft.newShape.numberOfSections where random.isTrue(oneIn: 3) {
            supplementaries[section] = randomCounts()
        }
        return base.step(update, &maker, supplementaries: supplementaries)
    }

    private mutating func randomCounts() -> MapPicture.Counts {
        var counts: MapPicture.Counts = [:]
        for kind in [.header, .footer, SupplementaryKind(rawValue: "badge")]
        where random.chance(0.7) {
            // Sometimes more than a leaf holds; no kept element means a reload of the kind.
            counts[kind] = (random.next(below: 9), random.next(below: 5))
        }
        return counts
    }

    private mutating func reloadingKinds(_ base: MapPicture) throws -> MapPicture {
        let section = random.next(below: base.shape.numberOfSections)
        var counts: MapPicture.Counts = [:]
        let old = base.sections[section].supplementaries
        for (kind, contents) in old.sorted(by: { $0.key < $1.key }) {
            counts[kind] = random.chance(0.5) ? (0, contents.count) : (contents.count, 0)
        }
        let update = try HierarchyChangeSet().validated(from: base.shape, to: base.shape)
        return base.applying(base.step(update, &maker, supplementaries: [section: counts]))
    }

    private mutating func remeasured(_ base: MapPicture) -> MapPicture {
        let places = base.places.map(\.place).filter { _ in random.chance(0.3) }
        return base.replacing(at: places, &maker)
    }

    /// Uses up the labels at one position, one by one or in one change.
    private mutating func crowdItems(_ base: MapPicture) throws {
        guard let section = base.shape.itemCounts.firstIndex(where: { $0 > 1 }) else { return }
        let place = ItemPath(section, random.next(below: base.shape.itemCounts[section] - 1) + 1)
        let before = base.labels(ofSection: section)
        var crowded = base
        if random.chance(0.3) {
            crowded = try crowded.inserting(60, at: place, &maker)
        }
        // Inserts alternately before and after the previous insertion, which uses up labels
        // soonest.
        for step in 0..<72 {
            let place = ItemPath(section, place.item + step / 2)
            crowded = try crowded.inserting(1, at: place, &maker)
        }
        let after = crowded.labels(ofSection: section)
        if !before.allSatisfy(after.contains) { hasRelabelledItems = true }
        keep(crowded)
        keep(try thinned(crowded, section))
    }

    /// Deletes most of the inserted items, so that maps stay small.
    private mutating func thinned(_ base: MapPicture, _ section: Int) throws -> MapPicture {
        var counts = base.shape.itemCounts
        let gone = (0..<counts[section]).filter { _ in random.chance(0.85) }
        counts[section] -= gone.count
        return try base.changed(to: counts, &maker) {
            $0.deleteItems(at: gone.map { ItemPath(section, $0) })
        }
    }

    /// Moves the last section to index 1 until the labels there are used up, sometimes together
    /// with an item of the first section.
    private mutating func crowdSections(_ base: MapPicture) throws {
        let count = base.shape.numberOfSections
        guard count > 2 else { return }
        var crowded = base
        for _ in 0..<36 {
            var changes = HierarchyChangeSet()
            var counts = crowded.shape.itemCounts
            changes.moveSection(count - 1, toSection: 1)
            counts.insert(counts.removeLast(), at: 1)
            if counts[0] > 0, random.chance(0.2) {
                let newSection = random.next(below: count)
                changes.moveItem(at: ItemPath(0, 0), to: ItemPath(newSection, 0))
                counts[0] -= 1
                counts[newSection] += 1
            }
            let update = try changes.validated(
                from: crowded.shape,
                to: HierarchyShape(counts)
            )
            crowded = crowded.applying(crowded.step(update, &maker))
        }
        // Section 0 never moved.
        if base.sectionLabels[0] != crowded.sectionLabels[0] { hasRelabelledSections = true }
        keep(crowded)
    }

    // MARK: Checking

    /// Returns the first wrong query of any version, or `nil`.
    mutating func fault() throws -> String? {
        for (age, picture) in kept.enumerated() {
            if let difference = picture.difference(elements, sections) {
                return "version \(age) of \(kept.count): \(difference)"
            }
        }
        let (current, other) = (newest, kept[random.next(below: kept.count)])
        return try current.faultFrom(other) ?? other.faultFrom(current)
    }
}

extension MapPicture {
    fileprivate func labels(ofSection section: Int) -> [Int] {
        map.storage.entries[section].slots.map(\.label)
    }

    fileprivate var sectionLabels: [Int] { map.storage.entries.map(\.label) }
}
