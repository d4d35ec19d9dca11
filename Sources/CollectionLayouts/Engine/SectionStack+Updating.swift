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
    func applying<Failure: Error>(
        _ update: ValidatedChangeSet,
        layingOut sections: [Int],
        _ lay: (_ section: Int, _ former: Section?) throws(Failure) -> Section
    ) throws(Failure) -> SectionStack {
        var laidOut: [Int: Section] = [:]
        for section in sections {
            let former = update.formerSection(of: section).flatMap(tree.element)
            laidOut[section] = try lay(section, former)
        }
        var next = self
        next.shape = update.newShape
        var moved: [Int: Section] = [:]
        for edit in update.sectionTakeOuts {
            if edit.role == .move, let target = edit.counterpart {
                moved[target] = next.tree.element(at: edit.section)
            }
            next.tree = next.tree.replacing(edit.section..<(edit.section + 1), with: Tree())
        }
        for edit in update.sectionPutIns {
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

extension ValidatedChangeSet {
    /// What is known of items that are the same in another place, or are to be asked about again in theirs,
    /// by new section and item.
    ///
    /// - Parameters:
    ///   - includesReconfigured: whether of items that were updated in place too.
    ///   - known: what is known of an item, given its path before.
    /// - Complexity: O(k), and what `known` takes.
    func carried<Value>(
        includesReconfigured: Bool,
        _ known: (_ oldPath: ItemPath) -> Value?
    ) -> [Int: [Int: Value]] {
        var carried: [Int: [Int: Value]] = [:]
        func carry(_ oldPath: ItemPath, to newPath: ItemPath) {
            guard let value = known(oldPath) else { return }
            carried[newPath.section, default: [:]][newPath.item] = value
        }
        if includesReconfigured {
            for change in reconfigurations { carry(change.oldPath, to: change.newPath) }
        }
        for edit in itemTakeOuts where edit.role == .move {
            if let target = edit.counterpart { carry(edit.path, to: target) }
        }
        return carried
    }
}
