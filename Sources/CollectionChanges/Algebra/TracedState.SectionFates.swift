extension TracedState {
    /// What becomes of the sections, with as few moves as possible.
    struct SectionFates {
        /// By new index.
        private(set) var fates: [Fate] = []
        /// By old index: the new one where the section is kept.
        private(set) var keptSections: [Int]

        enum Fate {
            case stays
            case moves
            case isReloaded
            /// It is new, or it is the replacement of one that would have had to move, which is then deleted.
            case isInserted
        }

        init(_ sections: [TracedSection], oldCount: Int) {
            keptSections = Array(repeating: -1, count: oldCount)
            fates.reserveCapacity(sections.count)
            var (last, isInOrder) = (-1, true)
            for (newSection, section) in sections.enumerated() {
                if section.oldSection < 0 {
                    fates.append(.isInserted)
                    continue
                }
                if section.isKept { keptSections[section.oldSection] = newSection }
                fates.append(section.isReplaced ? .isReloaded : .stays)
                isInOrder = isInOrder && last < section.oldSection
                last = section.oldSection
            }
            if !isInOrder { chooseMoves(sections) }
        }

        private mutating func chooseMoves(_ sections: [TracedSection]) {
            let candidates = sections.indices.filter { fates[$0] != .isInserted }
            let weights = StayingWeights(total: candidates.count)
            var order = HeaviestIncreasingSubsequence(
                bound: keptSections.count,
                capacity: candidates.count
            )
            for newSection in candidates {
                let section = sections[newSection]
                let keeping = weights.kept + (section.arrival == 0 ? weights.unmoved : 0)
                let weight = section.isKept ? keeping : weights.replaced
                order.append(section.oldSection, weight: weight)
                fates[newSection] = section.isKept ? .moves : .isInserted
            }
            var staying: [Int] = []
            order.finish { staying.append(candidates[$0]) }
            for newSection in staying {
                fates[newSection] = sections[newSection].isKept ? .stays : .isReloaded
            }
        }
    }
}
