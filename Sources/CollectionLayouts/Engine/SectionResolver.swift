/// Requests the values of a layout's sections and lays them out. The type of a section and the
/// sources of its values differ between layouts; the selection of sections after an update, and of
/// stale sections, is the same for all.
protocol SectionResolver {
    associatedtype Section: LaidOutSection
    /// The known value of an item, such as its size; it moves with the item.
    associatedtype ItemValue

    /// Whether an item's known value stays valid when the item is updated in place.
    static var keepsReconfigured: Bool { get }

    /// Returns the known value of an item in a section.
    func known(of item: Int, in section: Section) -> ItemValue?

    /// Lays out a section, either completely or by updating its previous version.
    mutating func lay(_ change: SectionChange<Section, ItemValue>) -> Section
}

/// The parts of one section that are to be laid out.
struct SectionChange<Section: LaidOutSection, ItemValue> {
    /// The current index of the section.
    let index: Int
    /// The number of items, according to the view or the update.
    let itemCount: Int
    /// The previous version; `nil` for a section that was inserted or replaced another.
    let former: Section?
    /// The items that were inserted, deleted or must be requested again.
    var spans: [ItemSpan] = []
    /// The known values of items in the spans, by current index.
    var known: [Int: ItemValue] = [:]
    /// Whether the whole section is to be laid out, regardless of the spans.
    var isWhole = false
    /// The kinds of supplementary elements that must be requested again.
    var kinds: Set<SupplementaryKind> = []
    /// Whether the change is caused by an update. If so, the known values are those of moved items,
    /// and the listed supplementary elements are new.
    var isUpdate = false
}

extension SectionResolver {
    /// Returns the sections after an update that starts from these.
    ///
    /// - Parameter stale: Other parts that are to be laid out.
    /// - Complexity: O(k log n) for k edits, plus the layout.
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

    /// Returns the known values of items that have moved, or that must be requested again in their
    /// places, by new section and item.
    private func known(over update: ValidatedChangeSet, in former: SectionStack<Section>)
        -> [Int: [Int: ItemValue]]
    {
        var all: [Int: [Int: ItemValue]] = [:]
        func carry(_ oldPath: ItemPath, to newPath: ItemPath) {
            guard let section = former.element(at: oldPath.section),
                let value = known(of: oldPath.item, in: section)
            else { return }
            all[newPath.section, default: [:]][newPath.item] = value
        }
        if Self.keepsReconfigured {
            for change in update.reconfigurations { carry(change.oldPath, to: change.newPath) }
        }
        // A moved item that was also updated is requested like every updated item.
        let updated = Self.keepsReconfigured ? [] : Set(update.reconfigurations.map(\.newPath))
        for edit in update.itemRemovals where edit.role == .move {
            guard let target = edit.associatedWith, !updated.contains(target) else { continue }
            carry(edit.path, to: target)
        }
        return all
    }

    /// Returns the same sections, with their stale parts laid out again.
    ///
    /// - Parameter itemCount: A closure that returns the current number of items in a section;
    ///   `nil` if the numbers are unchanged.
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
            var change = SectionChange<Section, ItemValue>(
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
    /// Returns an error if the view's counts, of all sections and of the items in `sections`,
    /// differ from the result of an update; `nil` if they agree.
    func mismatch(with update: ValidatedChangeSet, in sections: [Int]) -> LayoutError? {
        func error(_ what: @autoclosure () -> String, _ expected: Int, _ found: Int) -> LayoutError?
        {
            if expected == found { return nil }
            let message =
                "expected \(expected) \(what()) after the update, found \(found);"
                + " everything is laid out again"
            return LayoutError(.updateMismatch, message: message)
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
