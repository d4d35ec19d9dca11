import PersistentTrees

extension SectionStack {
    /// Whether an update starts from these sections, so that they can be taken along.
    func precedes(_ update: ValidatedChangeSet) -> Bool {
        !update.isReloadData && shape == update.oldShape
    }

    /// The sections after an update that these precede: what it does not touch is taken over.
    ///
    /// - Parameters:
    ///   - sections: those to lay out, ascending by new index: at least the touched ones of the update's
    ///     plan.
    ///   - lay: lays out a section, given its new index and what it was; nil for one that came or replaced
    ///     another. Called in ascending order.
    /// - Complexity: O(k log n) for k edits of sections and sections laid out.
    func applying(
        _ update: ValidatedChangeSet,
        layingOut sections: [Int],
        _ lay: (_ section: Int, _ former: Section?) -> Section
    ) -> SectionStack {
        var laidOut: [Int: Section] = [:]
        for section in sections {
            let former = update.formerSection(of: section).flatMap(tree.element)
            laidOut[section] = lay(section, former)
        }
        var next = self
        next.shape = update.newShape
        var moved: [Int: Section] = [:]
        for edit in update.sectionRemovals {
            if edit.role == .move, let target = edit.associatedWith {
                moved[target] = next.tree.element(at: edit.section)
            }
            next.tree = next.tree.replacing(edit.section..<(edit.section + 1), with: Tree())
        }
        for edit in update.sectionInsertions {
            // What did not move came, or replaced another, and so was laid out.
            guard let section = moved[edit.section] ?? laidOut.removeValue(forKey: edit.section)
            else { continue }
            next.tree = next.tree.replacing(edit.section..<edit.section, with: Tree([section]))
        }
        for section in sections {
            if let new = laidOut[section] { next.replace(at: section, with: new) }
        }
        return next
    }
}
