import CollectionElements

/// What step 3 prepares for one change set: single elements, and sections that came as a whole.
struct PreparationWork: Sendable {
    var singles: [(path: ItemPath, content: ElementContent)] = []
    var sections: [(newSection: Int, fresh: ElementMapChange.FreshSection)] = []
    /// Where the view begins, in the new map: what is nearest to it comes first.
    var start = ItemPath(section: 0, item: 0)

    var count: Int { sections.reduce(singles.count) { $0 + $1.fresh.count } }

    /// Some neighbours, to be prepared one after the other.
    struct Part: Sendable {
        fileprivate let origin: Origin
        let offsets: Range<Int>
        let isDescending: Bool
        fileprivate let distance: Distance

        fileprivate enum Origin: Sendable {
            case singles
            case section(ElementMapChange.FreshSection)
        }
    }

    /// How far something is from the start: sections first, and items where the section is the
    /// same; what lies ahead comes before what lies behind.
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

/// A plan: the work cut into parts, nearest to the start first.
struct PreparationPlan: Sendable {
    private let singles: [ElementContent]
    let parts: [PreparationWork.Part]

    /// - Parameter grain: how many elements a part has at most.
    ///
    /// Complexity: O(n log n) for n single elements, and O(p log p) for p parts.
    init(_ work: PreparationWork, grain: Int) {
        typealias Part = PreparationWork.Part
        let start = work.start
        let ordered = work.singles.map { single in
            (
                path: single.path, content: single.content,
                distance: PreparationWork.Distance(of: single.path, from: start)
            )
        }.sorted { left, right in
            if left.distance != right.distance { return left.distance < right.distance }
            // Equally far in another section: on from the start.
            return left.distance.isBehind ? left.path > right.path : left.path < right.path
        }
        singles = ordered.map { $0.content }
        var parts = Self.cut(0..<ordered.count, grain, isDescending: false).map { offsets in
            Part(
                origin: .singles,
                offsets: offsets,
                isDescending: false,
                distance: ordered[offsets.lowerBound].distance
            )
        }
        for (newSection, fresh) in work.sections {
            let middle =
                newSection < start.section
                ? fresh.count : newSection > start.section ? 0 : min(start.item, fresh.count)
            func add(_ offsets: Range<Int>, isDescending: Bool) {
                for offsets in Self.cut(offsets, grain, isDescending: isDescending) {
                    let nearest = isDescending ? offsets.upperBound - 1 : offsets.lowerBound
                    let path = ItemPath(section: newSection, item: nearest)
                    parts.append(
                        Part(
                            origin: .section(fresh),
                            offsets: offsets,
                            isDescending: isDescending,
                            distance: PreparationWork.Distance(of: path, from: start)
                        )
                    )
                }
            }
            add(0..<middle, isDescending: true)
            add(middle..<fresh.count, isDescending: false)
        }
        // Stable, so what is equally far stays in its order.
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

    func forEach(inPart index: Int, _ body: (ElementContent) -> Void) {
        let part = parts[index]
        func visit(_ offset: Int) {
            switch part.origin {
            case .singles: body(singles[offset])
            case .section(let fresh): body(fresh.content(at: offset))
            }
        }
        if part.isDescending {
            for offset in part.offsets.reversed() { visit(offset) }
        } else {
            for offset in part.offsets { visit(offset) }
        }
    }
}
