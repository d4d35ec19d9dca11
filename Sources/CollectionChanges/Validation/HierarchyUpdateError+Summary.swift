// The first line of a description: what is wrong, from the code and the values alone.

extension HierarchyUpdateError {
    /// What is wrong, in one line of less than 100 characters, with the sum or the counts that show it:
    /// `section 0: 3 before + 1 inserted - 0 deleted = 4, but there are 5`.
    public var summary: String {
        (ownSummary ?? sum ?? missingPlace ?? conflict ?? fewWords ?? message).asSummary
    }

    private var sum: String? {
        guard let arithmetic else { return nil }
        if code == .sectionCount { return "sections: \(arithmetic)" }
        return section.map { "section \($0): \(arithmetic)" }
    }

    // MARK: Places that do not exist

    private var missingPlace: String? {
        switch code {
        case .deleteSectionRange, .moveSectionSourceRange, .reconfigureSectionRange:
            missingSection("section \(place) is \(participle)", oldShape, "before")
        case .insertSectionRange:
            missingSection("section \(place) is inserted", newShape, "after")
        case .moveSectionTargetRange:
            missingSection("a section is moved to \(place)", newShape, "after")
        case .supplementarySectionRange:
            missingSection("supplementaries of section \(place) are reloaded", newShape, "after")
        case .deleteItemSectionRange, .deleteItemRange, .moveItemSourceSectionRange,
            .moveItemSourceRange, .reconfigureItemRange:
            missingItem("\(place) is \(participle)", oldShape, "before")
        case .insertItemSectionRange, .insertItemRange:
            missingItem("\(place) is inserted", newShape, "after")
        case .moveItemTargetSectionRange, .moveItemTargetRange:
            missingItem("an item is moved to \(place)", newShape, "after")
        default: nil
        }
    }

    private func missingItem(_ fault: String, _ shape: HierarchyShape?, _ when: String) -> String? {
        guard let path, let shape else { return nil }
        guard let count = shape.numberOfItems(inSection: path.section) else {
            return missingSection(fault, shape, when)
        }
        if path.item < 0 { return "\(fault), but indexes start at 0" }
        let items = Self.few(count, "item")
        return "\(fault), but section \(path.section) has \(items) \(when) the update"
    }

    private func missingSection(
        _ fault: String,
        _ shape: HierarchyShape?,
        _ when: String
    ) -> String? {
        guard let section, let shape else { return nil }
        if section < 0 { return "\(fault), but indexes start at 0" }
        let count = shape.numberOfSections
        let verb = count == 1 ? "is" : "are"
        return "\(fault), but there \(verb) \(Self.few(count, "section")) \(when) the update"
    }

    private static func few(_ count: Int, _ noun: String) -> String {
        switch count {
        case 0: "no \(noun)s"
        case 1: "only 1 \(noun)"
        default: "only \(count) \(noun)s"
        }
    }

    /// What is at fault, in the index space of its operation.
    private var place: String {
        path.map { "item \($0.item) of section \($0.section)" } ?? section.map { "\($0)" } ?? "?"
    }

    /// What was done to it.
    private var participle: String {
        switch (operation, code) {
        case (.reloadItems, _), (.reloadSections, _): "reloaded"
        case (_, .reconfigureItemRange), (_, .reconfigureSectionRange): "reconfigured"
        case (_, .moveSectionSourceRange), (_, .moveItemSourceSectionRange),
            (_, .moveItemSourceRange):
            "moved"
        default: "deleted"
        }
    }

    // MARK: Places that are claimed twice

    private var conflict: String? {
        guard path != nil || section != nil else { return nil }
        let place = path == nil ? "section \(place)" : place
        let thing = path == nil ? "section" : "item"
        return switch code {
        case .deleteAndReloadItem: "\(place) is reloaded, and deleted alone or with its section"
        case .deleteAndReloadSection: "\(place) is both deleted and reloaded"
        case .deleteAndMoveSection, .deleteAndMoveItem: "\(place) is both \(participle) and moved"
        case .duplicateDeleteSection, .duplicateDeleteItem: "\(place) is deleted twice"
        case .duplicateInsertSection, .duplicateInsertItem: "\(place) is inserted twice"
        case .insertAndMoveSection, .insertAndMoveItem:
            "\(place) is inserted, and another \(thing) is moved to the same place"
        case .moveSectionToTwoPlaces, .moveItemToTwoPlaces: "\(place) is moved to two places"
        case .moveTwoSectionsToOnePlace, .moveTwoItemsToOnePlace:
            "two \(thing)s are moved to one place, \(place)"
        case .moveOutOfDeletedSection:
            "\(place) is moved, but its section is deleted or reloaded"
        case .moveIntoInsertedSection:
            "an item is moved to \(place), which is inserted or reloaded"
        case .reloadDeletedSection: "\(place) is reloaded, but has no place after the update"
        default: nil
        }
    }

    // MARK: The rest

    private var fewWords: String? {
        let index = operationIndex.map { " \($0)" } ?? ""
        return switch code {
        case .emptyItemOp: "operation\(index) names no item"
        case .emptySectionOp: "operation\(index) names no section"
        case .reloadWithoutTarget:
            "no item that operation\(index) reloads has a place after the update"
        case .reloadDataTwice: "operation\(index) reloads everything a second time"
        default: nil
        }
    }
}

extension String {
    /// The text in one line of less than 100 characters.
    package var asSummary: String {
        let line = split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count < 100 ? line : line.prefix(98) + "…"
    }
}
