/// The reason why a change set was rejected: the first fault in the order of the checks, with all
/// available details.
///
/// Nothing has changed when this error is thrown. `message` contains the text that UIKit (in the
/// `texture` profile: Texture) has for the same fault, so that a search for it finds the same
/// advice.
public struct HierarchyUpdateError: Error, Hashable, Sendable {
    /// The code of the fault.
    public let code: Code

    /// A sentence that describes the fault, with its values; it contains UIKit's own text.
    /// ``summary`` is shorter.
    public let message: String

    /// A summary that cannot be derived from the other values.
    let explicitSummary: String?

    /// The index in `operations` of the faulty operation, if there is one. For external edits, the
    /// index of the faulty edit in their sequence.
    public private(set) var operationIndex: Int?

    /// The faulty operation, if there is one. For external edits, the operation that represents the
    /// edit.
    public private(set) var operation: HierarchyChangeSet.Operation?

    /// The path of the faulty item: an old path for deletes, reloads and move sources, otherwise a
    /// new one.
    public let path: ItemPath?

    /// The index of the faulty section: an old index for deletes, reloads and move sources,
    /// otherwise a new one.
    public let section: Int?

    /// The shape before the update, if it was known.
    public private(set) var oldShape: HierarchyShape?

    /// The shape after the update, if it was known.
    public private(set) var newShape: HierarchyShape?

    /// The sum, if counts did not add up.
    public let arithmetic: CountArithmetic?

    /// The likely mistake, if one fits the numbers, and the rule that was broken, if it can be
    /// stated in a sentence.
    public private(set) var hint: String?

    /// Whether `hint` begins with a mistake that fits the numbers.
    var namesMistake = false

    /// The name of the type of the data source that reported the counts.
    public var dataSourceName: String?

    package init(
        _ code: Code,
        _ message: String,
        operationIndex: Int? = nil,
        path: ItemPath? = nil,
        section: Int? = nil,
        oldShape: HierarchyShape? = nil,
        newShape: HierarchyShape? = nil,
        arithmetic: CountArithmetic? = nil,
        hint: String? = nil,
        summary: String? = nil
    ) {
        self.code = code
        self.message = message
        explicitSummary = summary
        self.operationIndex = operationIndex
        self.path = path
        self.section = section ?? path?.section
        self.oldShape = oldShape
        self.newShape = newShape
        self.arithmetic = arithmetic
        self.hint = hint
    }

    package func between(_ old: HierarchyShape, _ new: HierarchyShape) -> HierarchyUpdateError {
        var error = self
        error.oldShape = old
        error.newShape = new
        return error
    }

    /// Returns the error with the faulty operation and the likely mistake added.
    func explained(
        by changes: HierarchyChangeSet,
        seekingMistakes: Bool
    ) -> HierarchyUpdateError {
        var error = self
        error.operation = operationIndex.map { changes.operations[$0] }
        if seekingMistakes, let mistake = LikelyMistake(behind: error, changes) {
            let rule = mistake.hasRule ? nil : hint
            error.hint = [mistake.description, rule].compactMap(\.self).joined(separator: ". ")
            error.namesMistake = true
        }
        return error
    }

    /// Returns the same error with an operation index in the caller's own numbering.
    package func reported(at operationIndex: Int?) -> HierarchyUpdateError {
        var error = self
        error.operationIndex = operationIndex
        return error
    }

    /// The name of a fault. New codes may be added, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        // Shapes

        /// A data source reported a negative number of sections.
        public static let negativeSectionCount = Code(rawValue: "negativeSectionCount")
        /// A data source reported a negative number of items.
        public static let negativeItemCount = Code(rawValue: "negativeItemCount")
        /// There are more sections than the limits allow.
        public static let tooManySections = Code(rawValue: "tooManySections")
        /// There are more items than the limits allow.
        public static let tooManyItems = Code(rawValue: "tooManyItems")

        // Reload conflicts

        /// A reloaded item is also deleted or lies in a deleted section.
        public static let deleteAndReloadItem = Code(rawValue: "deleteAndReloadItem")
        /// A section is both deleted and reloaded.
        public static let deleteAndReloadSection = Code(rawValue: "deleteAndReloadSection")

        // Deletes

        /// A section that does not exist is deleted or reloaded.
        public static let deleteSectionRange = Code(rawValue: "deleteSectionRange")
        /// An item is deleted or reloaded in a section that does not exist.
        public static let deleteItemSectionRange = Code(rawValue: "deleteItemSectionRange")
        /// An item that does not exist is deleted or reloaded.
        public static let deleteItemRange = Code(rawValue: "deleteItemRange")
        /// A section is deleted or reloaded and is also moved.
        public static let deleteAndMoveSection = Code(rawValue: "deleteAndMoveSection")
        /// An item is deleted or reloaded and is also moved.
        public static let deleteAndMoveItem = Code(rawValue: "deleteAndMoveItem")
        /// A section is deleted twice.
        public static let duplicateDeleteSection = Code(rawValue: "duplicateDeleteSection")
        /// An item is deleted twice.
        public static let duplicateDeleteItem = Code(rawValue: "duplicateDeleteItem")

        // Inserts

        /// A section is inserted beyond the new end.
        public static let insertSectionRange = Code(rawValue: "insertSectionRange")
        /// An item is inserted into a section that does not exist.
        public static let insertItemSectionRange = Code(rawValue: "insertItemSectionRange")
        /// An item is inserted beyond the new end of its section.
        public static let insertItemRange = Code(rawValue: "insertItemRange")
        /// A section is inserted at an index to which another is moved.
        public static let insertAndMoveSection = Code(rawValue: "insertAndMoveSection")
        /// An item is inserted at a path to which another is moved.
        public static let insertAndMoveItem = Code(rawValue: "insertAndMoveItem")
        /// A section is inserted twice.
        public static let duplicateInsertSection = Code(rawValue: "duplicateInsertSection")
        /// An item is inserted twice.
        public static let duplicateInsertItem = Code(rawValue: "duplicateInsertItem")

        // Moves

        /// A section that does not exist is moved.
        public static let moveSectionSourceRange = Code(rawValue: "moveSectionSourceRange")
        /// A section is moved beyond the new end.
        public static let moveSectionTargetRange = Code(rawValue: "moveSectionTargetRange")
        /// An item is moved from a section that does not exist.
        public static let moveItemSourceSectionRange = Code(rawValue: "moveItemSourceSectionRange")
        /// An item that does not exist is moved.
        public static let moveItemSourceRange = Code(rawValue: "moveItemSourceRange")
        /// An item is moved into a section that does not exist.
        public static let moveItemTargetSectionRange = Code(rawValue: "moveItemTargetSectionRange")
        /// An item is moved beyond the new end of a section.
        public static let moveItemTargetRange = Code(rawValue: "moveItemTargetRange")
        /// A section is moved to two places.
        public static let moveSectionToTwoPlaces = Code(rawValue: "moveSectionToTwoPlaces")
        /// An item is moved to two places.
        public static let moveItemToTwoPlaces = Code(rawValue: "moveItemToTwoPlaces")
        /// Two sections are moved to one place.
        public static let moveTwoSectionsToOnePlace = Code(rawValue: "moveTwoSectionsToOnePlace")
        /// Two items are moved to one place.
        public static let moveTwoItemsToOnePlace = Code(rawValue: "moveTwoItemsToOnePlace")
        /// An item is moved out of a deleted or reloaded section; `strict` only.
        public static let moveOutOfDeletedSection = Code(rawValue: "moveOutOfDeletedSection")
        /// An item is moved into an inserted or reloaded section; `strict` only.
        public static let moveIntoInsertedSection = Code(rawValue: "moveIntoInsertedSection")

        // In-place updates

        /// An item that does not exist is reconfigured.
        public static let reconfigureItemRange = Code(rawValue: "reconfigureItemRange")
        /// A section that does not exist is reconfigured.
        public static let reconfigureSectionRange = Code(rawValue: "reconfigureSectionRange")
        /// Supplementary elements are reloaded in a section that does not exist.
        public static let supplementarySectionRange = Code(rawValue: "supplementarySectionRange")

        // Counts

        /// The number of sections does not add up.
        public static let sectionCount = Code(rawValue: "sectionCount")
        /// The number of items in a section does not add up.
        public static let itemCount = Code(rawValue: "itemCount")

        // External edits

        /// An edit is at a position that the fixed order does not allow.
        public static let editOutOfOrder = Code(rawValue: "editOutOfOrder")
        /// The two halves of a reload or move do not refer to each other, or an edit has a role
        /// that its run cannot have.
        public static let editUnlinked = Code(rawValue: "editUnlinked")
        /// An edit is valid, but is not among the edits of the change set.
        public static let editMismatch = Code(rawValue: "editMismatch")

        // Only in the `texture` profile. Texture validates in two stages. `emptyItemOp`,
        // `emptySectionOp` and `reloadDataTwice` are faults of the first stage, the submission of
        // operations. They are reported before all others, in the order of operations, with the
        // index of their operation. Every other code belongs to the second stage, the completion of
        // the set.

        /// An operation contains no items.
        public static let emptyItemOp = Code(rawValue: "emptyItemOp")
        /// An operation contains no sections.
        public static let emptySectionOp = Code(rawValue: "emptySectionOp")
        /// A reloaded section does not exist after the update.
        public static let reloadDeletedSection = Code(rawValue: "reloadDeletedSection")
        /// None of the items of one reload exists after the update.
        public static let reloadWithoutTarget = Code(rawValue: "reloadWithoutTarget")
        /// A record reloads everything twice.
        public static let reloadDataTwice = Code(rawValue: "reloadDataTwice")
    }
}

extension HierarchyUpdateError: CustomStringConvertible {
    /// A description in several lines: the summary; the likely mistake, or the rule that was
    /// broken; the faulty operation; both shapes; the data source; and finally the code with
    /// UIKit's text.
    public var description: String { description(with: []) }

    /// Returns the description with additional lines of the caller before UIKit's text.
    package func description(with more: [String]) -> String {
        var lines = [summary]
        if let hint { lines.append("\(namesMistake ? "Likely cause: " : "")\(hint).") }
        if let operation, let operationIndex {
            lines.append("At fault: operation \(operationIndex), \(operation)")
        }
        if let oldShape { lines.append("Before: \(oldShape.outline)") }
        if let newShape { lines.append("After: \(newShape.outline)") }
        if let dataSourceName { lines.append("Data source: \(dataSourceName)") }
        lines += more
        lines.append(summary == message ? "[\(code.rawValue)]" : "[\(code.rawValue)] \(message)")
        return lines.joined(separator: "\n")
    }
}

extension HierarchyShape {
    /// Every count if they fit on one line, otherwise the totals.
    fileprivate var outline: String {
        guard numberOfSections > 16 else { return description }
        let items = numberOfItems.map(String.init) ?? "too many"
        return "\(numberOfSections) sections with \(items) items"
    }
}

// The first line of a description, which states the fault using only the code and the values.

extension HierarchyUpdateError {
    /// The fault in one line of fewer than 100 characters, with the sum or the counts that show it:
    /// `section 0: 3 before + 1 inserted - 0 deleted = 4, but there are 5`.
    public var summary: String {
        (explicitSummary ?? sum ?? missingPlace ?? conflict ?? fewWords ?? message).asSummary
    }

    private var sum: String? {
        guard let arithmetic else { return nil }
        if code == .sectionCount { return "sections: \(arithmetic)" }
        return section.map { "section \($0): \(arithmetic)" }
    }

    // MARK: Missing items and sections

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

    /// The faulty item or section, in the index space of its operation.
    private var place: String {
        path.map { "item \($0.item) of section \($0.section)" } ?? section.map { "\($0)" } ?? "?"
    }

    /// The edit of the item or section, as a participle.
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

    // MARK: Conflicting edits

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

    // MARK: Other faults

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
    /// The text in one line of fewer than 100 characters.
    package var asSummary: String {
        let line = split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count < 100 ? line : line.prefix(98) + "…"
    }
}
