/// A section that is there before and after.
@usableFromInline
package struct SurvivingSection: Hashable, Sendable {
    @usableFromInline package var oldSection: Int
    @usableFromInline package var newSection: Int

    /// Whether the section and all that is in it is to be replaced, as by a reload.
    @usableFromInline package var isReplaced: Bool

    @inlinable
    package init(oldSection: Int, newSection: Int, isReplaced: Bool = false) {
        self.oldSection = oldSection
        self.newSection = newSection
        self.isReplaced = isReplaced
    }
}

extension SurvivingSection {
    /// The sections that have the same identifier on both sides, ascending by old index.
    @inlinable
    package static func matching<ID: Hashable>(
        _ old: [ID],
        _ new: [ID],
        _ duplicates: DuplicatePolicy,
        _ isCancelled: () -> Bool
    ) throws(DifferenceError) -> [SurvivingSection] {
        let rules = IdentifierRules<ID>()
        if duplicates == .refuse {
            let oldRows = try DuplicateFinder(rules, [old])
            if let found = try oldRows.firstDuplicate(isCancelled: isCancelled) {
                throw .duplicateSection(found.id, found.first, found.second, isOld: true)
            }
            let newRows = try DuplicateFinder(rules, [new])
            if let found = try newRows.firstDuplicate(isCancelled: isCancelled) {
                throw .duplicateSection(found.id, found.first, found.second, isOld: false)
            }
        }
        let matching = try SectionedMatching(
            from: [old],
            to: [new],
            pairs: [SurvivingSection(oldSection: 0, newSection: 0)],
            rules: rules,
            isCancelled: isCancelled
        )
        var sections: [SurvivingSection] = []
        for run in matching.runs {
            for offset in 0..<run.count {
                sections.append(
                    SurvivingSection(
                        oldSection: run.oldItem + offset,
                        newSection: run.newItem + offset
                    )
                )
            }
        }
        return sections
    }
}
