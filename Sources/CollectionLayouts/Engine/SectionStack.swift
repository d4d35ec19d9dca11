import PersistentTrees

/// The sections of a layout, one behind the other along the scroll direction, with the sums of their
/// extents: what the layouts of whole collections have in common.
///
/// A value that shares structure with what it was made from, so that the one before an update answers
/// questions about the past as long as somebody has it.
struct SectionStack<Section: LaidOutSection>: Sendable {
    typealias Tree = PersistentSequence<Section, SectionSums<Section>>

    var tree = Tree()
    /// How many items the sections have, as the view says.
    var shape = HierarchyShape.empty

    /// Without sections.
    init() {}

    /// Lays out every section, in order.
    ///
    /// - Parameter counts: how many items each has.
    init(_ counts: [Int], _ lay: (_ section: Int, _ itemCount: Int) -> Section) {
        var builder = Tree.Builder()
        for (section, count) in counts.enumerated() { builder.append(lay(section, count)) }
        tree = builder.tree()
        shape = HierarchyShape(counts)
    }

    var count: Int { tree.count }

    /// How far all of them reach.
    var extent: Double { tree.summary.sum }

    /// A section, or nil if there is none.
    func element(at index: Int) -> Section? { tree.element(at: index) }

    /// Where a section begins.
    ///
    /// Complexity: O(log n).
    func start(of index: Int) -> Double { tree.summary(before: index).sum }

    /// Puts another section in the place of one; nothing changes if there is none.
    ///
    /// - Parameter itemCount: how many items it has, if that may be another number than before.
    /// - Complexity: O(log n), and O(n) where the number is another.
    mutating func replace(at index: Int, with section: Section, itemCount: Int? = nil) {
        tree = tree.replacing(at: index, with: section)
        if let itemCount, shape.numberOfItems(inSection: index).map({ $0 != itemCount }) == true {
            var counts = shape.itemCounts
            counts[index] = itemCount
            shape = HierarchyShape(counts)
        }
    }

    /// Lays every section out again, in order.
    func mapped(_ lay: (_ index: Int, _ section: Section) -> Section) -> SectionStack {
        var builder = Tree.Builder()
        var cursor = tree.makeIterator()
        var index = 0
        while let section = cursor.next() {
            builder.append(lay(index, section))
            index += 1
        }
        var mapped = self
        mapped.tree = builder.tree()
        return mapped
    }

    /// Calls `body` with the sections that reach into an interval, and perhaps with neighbours: those that
    /// only touch it.
    ///
    /// - Parameter origin: where the first section begins.
    /// - Complexity: O(log n), and what is found.
    func visit(
        _ interval: ClosedRange<Double>,
        from origin: Double = 0,
        _ body: (_ index: Int, _ section: Section, _ start: Double) -> Void
    ) {
        let overhang = tree.summary.overhang
        var place = tree.place { _, summary in
            origin + summary.sum + overhang >= interval.lowerBound
        }
        var cursor = tree.makeIterator(from: place.index)
        while let section = cursor.next() {
            let start = origin + place.before.sum
            guard start - overhang <= interval.upperBound else { return }
            body(place.index, section, start)
            place.index += 1
            place.before = place.before.combined(with: SectionSums(of: section))
        }
    }
}
