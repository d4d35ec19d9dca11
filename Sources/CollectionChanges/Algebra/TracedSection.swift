/// A section of the state between updates, with where it and its items come from.
struct TracedSection {
    /// Its index at the start; negative where it is new.
    var oldSection: Int

    /// Whether it is there in the place of the one of the start, which was reloaded.
    var isReplaced = false

    /// The option with which it came, moved or was reloaded last, by number; 0 if none of this happened.
    var arrival: UInt32 = 0

    /// Its items, or nil while they are still those of the start.
    var items: StretchRope?

    /// What is to be asked for again in it, in any order; the sections in it say nothing.
    var supplementaryReloads: [SupplementaryReload] = []

    /// A section that nothing happened to.
    init(untouched oldSection: Int) { self.oldSection = oldSection }

    /// A section with fresh items only.
    init(freshItems count: Int, replacing oldSection: Int?, arrival: UInt32) {
        self.oldSection = oldSection ?? -1
        self.arrival = arrival
        isReplaced = oldSection != nil
        items = StretchRope(.fresh(count))
    }

    /// Whether it is the one of the start, and not its replacement.
    var isKept: Bool { oldSection >= 0 && !isReplaced }

    /// The section at the start whose items are at home here, or a negative one.
    var home: Int { isKept ? oldSection : -1 }

    /// Takes the items out, made explicit, for the caller to change and put back.
    mutating func takeItems(_ oldShape: HierarchyShape) -> StretchRope {
        if let items {
            self.items = nil
            return items
        }
        let count = oldShape.itemCounts[oldSection]
        return StretchRope(ItemStretch(oldSection: oldSection, oldItem: 0, count: count))
    }

    /// Asks for supplementary elements again; once for each kind, with the later option.
    mutating func reload(_ kind: SupplementaryKind, _ animation: AnimationOption) {
        let reload = SupplementaryReload(kind: kind, newSection: 0, animation: animation)
        if let position = supplementaryReloads.firstIndex(where: { $0.kind == kind }) {
            supplementaryReloads[position] = reload
        } else {
            supplementaryReloads.append(reload)
        }
    }
}
