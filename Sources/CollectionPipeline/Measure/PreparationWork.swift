import CollectionElements

/// The elements that step 3 prepares for one change set: single elements, and sections that were
/// inserted as a whole.
struct PreparationWork: Sendable {
    var singles: [(path: ItemPath, content: ElementContent)] = []
    var sections: [(newSection: Int, inserted: ElementMapChange.InsertedSection)] = []
    /// The first visible path, in the new map: the elements nearest to it are prepared first.
    var start = ItemPath(section: 0, item: 0)

    /// The number of deferrable elements that are prepared with the change set; `nil` for all.
    var limit: Int?

    /// The contents that were requested, and are therefore not deferred.
    var requested: Set<ElementContent> = []

    private var total: Int { sections.reduce(singles.count) { $0 + $1.inserted.count } }

    /// The number of elements that are prepared with the change set.
    ///
    /// Complexity: O(n) for n single elements if some are deferred; otherwise O(sections).
    var count: Int {
        let total = total
        guard let limit, limit < total else { return total }
        let urgent = singles.count { !$0.content.mayBeDeferred || requested.contains($0.content) }
        return urgent + min(limit, total - urgent)
    }

    /// Some neighbouring elements that are prepared one after the other.
    struct ElementRange: Sendable {
        fileprivate let origin: Origin
        fileprivate(set) var offsets: Range<Int>
        let isDescending: Bool
        fileprivate let distance: Distance

        /// Removes and returns the nearest `count` elements.
        fileprivate mutating func takeFirst(_ count: Int) -> ElementRange {
            var first = self
            if isDescending {
                first.offsets = (offsets.upperBound - count)..<offsets.upperBound
                offsets = offsets.lowerBound..<first.offsets.lowerBound
            } else {
                first.offsets = offsets.lowerBound..<(offsets.lowerBound + count)
                offsets = first.offsets.upperBound..<offsets.upperBound
            }
            return first
        }

        fileprivate enum Origin: Sendable {
            case singles
            case section(ElementMapChange.InsertedSection)
        }
    }

    /// A distance from the start: sections first, then items if the section is the same. At equal
    /// distance, elements after the start precede those before it.
    fileprivate struct Distance: Comparable, Sendable {
        let sections: Int
        let items: Int
        let isBehind: Bool

        init(of path: ItemPath, from start: ItemPath) {
            isBehind = path < start
            sections = abs(path.section - start.section)
            items = sections == 0 ? abs(path.item - start.item) : 0
        }

        static func < (left: Distance, right: Distance) -> Bool {
            if left.sections != right.sections { return left.sections < right.sections }
            if left.items != right.items { return left.items < right.items }
            return !left.isBehind && right.isBehind
        }
    }
}

/// A plan: the work, divided into parts, nearest to the start first.
struct PreparationPlan: Sendable {
    private let singles: [ElementContent]
    private let requested: Set<ElementContent>
    private(set) var parts: [PreparationWork.ElementRange]

    /// Creates a plan.
    ///
    /// Complexity: O(n log n) for n single elements, and O(p log p) for p parts.
    ///
    /// - Parameters:
    ///   - work: The elements to prepare.
    ///   - grain: The maximum number of elements in a part.
    init(_ work: PreparationWork, grain: Int) {
        typealias ElementRange = PreparationWork.ElementRange
        let start = work.start
        let ordered = work.singles.map { single in
            (
                path: single.path, content: single.content,
                distance: PreparationWork.Distance(of: single.path, from: start)
            )
        }.sorted { left, right in
            if left.distance != right.distance { return left.distance < right.distance }
            // Elements of one section at equal distance are ordered by their direction from the
            // start.
            return left.distance.isBehind ? left.path > right.path : left.path < right.path
        }
        singles = ordered.map { $0.content }
        requested = work.requested
        var parts = Self.cut(0..<ordered.count, grain, isDescending: false).map { offsets in
            ElementRange(
                origin: .singles,
                offsets: offsets,
                isDescending: false,
                distance: ordered[offsets.lowerBound].distance
            )
        }
        for (newSection, inserted) in work.sections {
            let middle =
                newSection < start.section
                ? inserted.count : newSection > start.section ? 0 : min(start.item, inserted.count)
            func add(_ offsets: Range<Int>, isDescending: Bool) {
                for offsets in Self.cut(offsets, grain, isDescending: isDescending) {
                    let nearest = isDescending ? offsets.upperBound - 1 : offsets.lowerBound
                    let path = ItemPath(section: newSection, item: nearest)
                    parts.append(
                        ElementRange(
                            origin: .section(inserted),
                            offsets: offsets,
                            isDescending: isDescending,
                            distance: PreparationWork.Distance(of: path, from: start)
                        )
                    )
                }
            }
            add(0..<middle, isDescending: true)
            add(middle..<inserted.count, isDescending: false)
        }
        // The sort is stable, so parts at equal distance keep their order.
        parts.sort { $0.distance < $1.distance }
        self.parts = parts
    }

    private static func cut(
        _ offsets: Range<Int>,
        _ grain: Int,
        isDescending: Bool
    ) -> [Range<Int>] {
        if isDescending {
            return stride(from: offsets.upperBound, to: offsets.lowerBound, by: -grain).map {
                max(offsets.lowerBound, $0 - grain)..<$0
            }
        }
        return stride(from: offsets.lowerBound, to: offsets.upperBound, by: grain).map {
            $0..<min($0 + grain, offsets.upperBound)
        }
    }

    /// Returns a plan with the elements that cannot be deferred and the nearest `limit` of the
    /// others, and a plan with the remaining elements, if there are any.
    ///
    /// Complexity: O(p) for p parts, and O(n) for n single elements.
    ///
    /// - Parameter limit: The number of deferrable elements in the first plan; `nil` for no limit.
    func split(after limit: Int?) -> (now: PreparationPlan, later: PreparationPlan?) {
        guard let limit else { return (self, nil) }
        var (now, later) = (self, self)
        now.parts = []
        later.parts = []
        var room = limit
        for part in parts {
            var left = part
            while !left.offsets.isEmpty {
                if mustStay(left) {
                    now.parts.append(left.takeFirst(1))
                } else if room > 0 {
                    let count = min(room, countOfOthers(left))
                    now.parts.append(left.takeFirst(count))
                    room -= count
                } else {
                    later.parts.append(left.takeFirst(countOfOthers(left)))
                }
            }
        }
        return (now, later.parts.isEmpty ? nil : later)
    }

    /// Returns whether the first element of a part cannot be deferred.
    private func mustStay(_ part: PreparationWork.ElementRange) -> Bool {
        guard case .singles = part.origin else { return false }
        return isUrgent(singles[part.offsets.lowerBound])
    }

    private func isUrgent(_ content: ElementContent) -> Bool {
        !content.mayBeDeferred || requested.contains(content)
    }

    /// Returns the number of elements in a part before the first one that cannot be deferred.
    private func countOfOthers(_ part: PreparationWork.ElementRange) -> Int {
        // Elements of inserted sections are new, so they can be deferred.
        guard case .singles = part.origin else { return part.offsets.count }
        let urgent = part.offsets.first { isUrgent(singles[$0]) }
        return (urgent ?? part.offsets.upperBound) - part.offsets.lowerBound
    }

    func forEach(inPart index: Int, _ body: (ElementContent) -> Void) {
        let part = parts[index]
        func visit(_ offset: Int) {
            switch part.origin {
            case .singles: body(singles[offset])
            case .section(let inserted): body(inserted.content(at: offset))
            }
        }
        if part.isDescending {
            for offset in part.offsets.reversed() { visit(offset) }
        } else {
            for offset in part.offsets { visit(offset) }
        }
    }
}
