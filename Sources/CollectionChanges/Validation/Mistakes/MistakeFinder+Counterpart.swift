// Which section was meant where an index is that of the other side of the update.

extension MistakeFinder {
    /// What becomes of the section at fault, which is there on the other side, on its own; nil where what is
    /// recorded does not say, or something else is at fault.
    func counterpart(isOld: Bool) -> LikelyMistake.Counterpart? {
        let (own, other) = isOld ? (oldShape, newShape) : (newShape, oldShape)
        guard let path = error.path, !own.itemCounts.indices.contains(path.section) else {
            return nil
        }
        let edits = SectionEdits(operations, isOld: isOld)
        let fresh = edits.targets.union(edits.moves.values)
        let leaving = edits.sources.union(edits.moves.keys)
        if edits.sources.contains(path.section) { return .missing(path.section) }
        // With another place the record comes out, so as many are kept on either side.
        let kept = other.itemCounts.indices.filter { !leaving.contains($0) }
        let keptHere = own.itemCounts.indices.filter { !fresh.contains($0) }
        let unmoved = zip(kept, keptHere).first { $0.0 == path.section }?.1
        guard let section = edits.moves[path.section] ?? unmoved,
            isValid(correcting(to: ItemPath(section: section, item: path.item)))
        else { return nil }
        return .section(section, onOtherSide: path.section)
    }

    /// The edits of sections, seen from one side.
    private struct SectionEdits {
        /// Those of the other side that are not on this one, and those of this side that are not on the other.
        var (sources, targets) = (Set<Int>(), Set<Int>())
        /// From the other side to this one.
        var moves: [Int: Int] = [:]

        init(_ operations: [HierarchyChangeSet.Operation], isOld: Bool) {
            for operation in operations {
                switch operation {
                case .deleteSections(let sections, _):
                    if isOld { targets.formUnion(sections) } else { sources.formUnion(sections) }
                case .insertSections(let sections, _):
                    if isOld { sources.formUnion(sections) } else { targets.formUnion(sections) }
                case .moveSection(let old, let new, _):
                    moves[isOld ? new : old] = isOld ? old : new
                default: break
                }
            }
        }
    }
}
