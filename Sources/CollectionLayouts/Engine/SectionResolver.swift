/// Asks who knows about the sections of a layout, and lays them out. What a section is, and whom to ask, differs
/// between layouts; which sections there are to ask about after an update, and which are stale, does not.
protocol SectionResolver {
    associatedtype Section: LaidOutSection
    /// What is known of an item and goes where it goes.
    associatedtype Known

    /// Whether what is known of items goes on to hold when they are updated in place.
    static var keepsReconfigured: Bool { get }

    /// What is known of an item of a section.
    func known(of item: Int, in section: Section) -> Known?

    /// Lays out a section: from nothing, or from what it was.
    mutating func lay(_ change: SectionChange<Section, Known>) -> Section
}

/// What is to be laid out of one section.
struct SectionChange<Section: LaidOutSection, Known> {
    /// Its index now.
    let index: Int
    /// How many items it has, as the view or the update says.
    let itemCount: Int
    /// What it was; nil for one that came or replaced another.
    let former: Section?
    /// The items that came, went or must be asked about again.
    var spans: [ItemSpan] = []
    /// What is known of items in them, by their index now.
    var known: [Int: Known] = [:]
    /// Whether all of it is to be laid out, spans or not.
    var isWhole = false
    /// The supplementary elements that must be asked about again.
    var kinds: Set<SupplementaryKind> = []
    /// Whether an update leads here: so that what is known of items is that of those which moved, and the
    /// supplementary elements to ask about are others than they were.
    var isUpdate = false
}

extension SectionResolver {
    /// The sections after an update that these precede.
    ///
    /// - Parameter stale: what else is to be laid out.
    /// - Complexity: O(k log n) for k edits, and what is laid out.
    mutating func applying(
        _ update: ValidatedChangeSet,
        _ plan: SectionEditPlan,
        stale: LayoutStaleness = LayoutStaleness(),
        to former: SectionStack<Section>
    ) -> SectionStack<Section> {
        let known = known(over: update, in: former)
        let whole = Set(stale.touchedSections.compactMap(update.newSection))
        let sections = whole.union(plan.touchedSections).sorted()
        return former.applying(update, layingOut: sections) { index, former in
            lay(
                SectionChange(
                    index: index,
                    itemCount: update.newShape.itemCounts[index],
                    former: former,
                    spans: plan.spans(inSection: index),
                    known: known[index] ?? [:],
                    isWhole: whole.contains(index),
                    kinds: plan.reloadedKinds[index] ?? [],
                    isUpdate: true
                )
            )
        }
    }

    /// What is known of items that are the same in another place, or must be asked about again in theirs, by
    /// new section and item.
    private func known(over update: ValidatedChangeSet, in former: SectionStack<Section>)
        -> [Int: [Int: Known]]
    {
        var all: [Int: [Int: Known]] = [:]
        func carry(_ oldPath: ItemPath, to newPath: ItemPath) {
            guard let section = former.element(at: oldPath.section),
                let value = known(of: oldPath.item, in: section)
            else { return }
            all[newPath.section, default: [:]][newPath.item] = value
        }
        if Self.keepsReconfigured {
            for change in update.reconfigurations { carry(change.oldPath, to: change.newPath) }
        }
        // What moved and was updated too is asked about like anything that was updated.
        let updated = Self.keepsReconfigured ? [] : Set(update.reconfigurations.map(\.newPath))
        for edit in update.itemRemovals where edit.role == .move {
            guard let target = edit.associatedWith, !updated.contains(target) else { continue }
            carry(edit.path, to: target)
        }
        return all
    }

    /// The same sections, with what is stale in them laid out again.
    ///
    /// - Parameter itemCount: how many items a section has now; nil for as many as it had.
    mutating func refreshing(
        _ stale: LayoutStaleness,
        in former: SectionStack<Section>,
        itemCount: ((_ section: Int) -> Int)? = nil
    ) -> SectionStack<Section> {
        var sections = former
        for index in stale.touchedSections.sorted() {
            guard let section = former.element(at: index) else { continue }
            var items = stale.items[index]?.sorted() ?? []
            items.removeAll { $0 < 0 || $0 >= section.itemCount }
            var change = SectionChange<Section, Known>(
                index: index,
                itemCount: itemCount?(index) ?? section.itemCount,
                former: section
            )
            change.spans = ItemSpan.spans(changed: items)
            if Self.keepsReconfigured {
                for item in items { change.known[item] = known(of: item, in: section) }
            }
            change.isWhole = stale.sections.contains(index)
            for (kind, sections) in stale.supplements where sections.contains(index) {
                change.kinds.insert(kind)
            }
            sections.replace(at: index, with: lay(change), itemCount: change.itemCount)
        }
        return sections
    }
}

extension LayoutHost {
    /// What an update does not lead to of the counts that the view has, of `sections` and of their items; nil
    /// where all is right.
    func mismatch(with update: ValidatedChangeSet, in sections: [Int]) -> LayoutError? {
        func error(_ what: String, _ expected: Int, _ found: Int) -> LayoutError? {
            let message =
                "expected \(expected) \(what) after the update, found \(found); all is laid out again"
            return expected == found ? nil : LayoutError(.updateMismatch, message: message)
        }
        let shape = update.newShape
        let sectionError = error("sections", shape.numberOfSections, numberOfSections)
        if let sectionError { return sectionError }
        for section in sections {
            let found = numberOfItems(inSection: section)
            let itemError = error("items in section \(section)", shape.itemCounts[section], found)
            if let itemError { return itemError }
        }
        return nil
    }
}
