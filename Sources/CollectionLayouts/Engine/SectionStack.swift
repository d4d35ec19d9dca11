import PersistentTrees

/// The sections of a layout, one after the other along the scroll direction, with the sums of their
/// extents. All layouts of whole collections use it.
///
/// A value that shares structure with the stack that it was made from. The stack before an update
/// therefore stays usable for as long as it is retained.
struct SectionStack<Section: LaidOutSection>: Sendable {
    typealias Tree = PersistentSequence<Section, SectionSums<Section>>

    var tree = Tree()
    /// The number of items in each section, according to the view.
    var shape = HierarchyShape.empty

    /// Creates a stack without sections.
    init() {}

    /// Lays out every section, in order.
    ///
    /// - Parameter counts: The number of items in each section.
    init(_ counts: [Int], _ lay: (_ section: Int, _ itemCount: Int) -> Section) {
        var builder = Tree.Builder()
        for (section, count) in counts.enumerated() { builder.append(lay(section, count)) }
        tree = builder.tree()
        shape = HierarchyShape(counts)
    }

    /// The extent of all sections together.
    var extent: Double { tree.summary.sum }

    /// Returns a section, or `nil` if there is no such section.
    func element(at index: Int) -> Section? { tree.element(at: index) }

    /// Returns the start of a section.
    ///
    /// Complexity: O(log n).
    func start(of index: Int) -> Double { tree.summary(before: index).sum }

    /// Replaces a section; does nothing if there is no such section.
    ///
    /// - Parameter itemCount: The number of its items, if that may have changed.
    /// - Complexity: O(log n); O(n) if the number has changed.
    mutating func replace(at index: Int, with section: Section, itemCount: Int? = nil) {
        tree = tree.replacing(at: index, with: section)
        if let itemCount, shape.numberOfItems(inSection: index).map({ $0 != itemCount }) == true {
            var counts = shape.itemCounts
            counts[index] = itemCount
            shape = HierarchyShape(counts)
        }
    }

    /// Lays out every section again, in order.
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

    /// Calls `body` with the sections that overlap an interval, and possibly with adjacent sections
    /// that only touch it.
    ///
    /// - Parameter origin: The start of the first section.
    /// - Complexity: O(log n), plus the number of sections found.
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

    /// Returns whether an update starts from these sections, so that they can be reused.
    func precedes(_ update: ValidatedChangeSet) -> Bool {
        !update.isReloadData && shape == update.oldShape
    }

    /// Returns the sections after an update that starts from these; sections that it does not touch
    /// are reused.
    ///
    /// - Parameters:
    ///   - sections: The sections to lay out, ascending by new index: at least the touched sections
    ///     of the update's plan.
    ///   - lay: Lays out a section, given its new index and its previous version, which is `nil`
    ///     for a section that was inserted or replaced another. Called in ascending order.
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
        var transaction = tree.transaction()
        var moved: [Int: Section] = [:]
        for edit in update.sectionRemovals {
            let section = transaction.remove(at: edit.section)
            if edit.role == .move, let target = edit.associatedWith { moved[target] = section }
        }
        for edit in update.sectionInsertions {
            // A section that did not move was inserted or replaced another, and so was laid out.
            guard let section = moved[edit.section] ?? laidOut.removeValue(forKey: edit.section)
            else { continue }
            transaction.insert(section, at: edit.section)
        }
        for section in sections {
            if let new = laidOut[section] { transaction.replace(at: section, with: new) }
        }
        var next = self
        next.tree = transaction.commit()
        next.shape = update.newShape
        return next
    }
}

/// A section after a layout has laid it out, in its own coordinates. It does not depend on its
/// place, so changes in other sections only shift it.
protocol LaidOutSection: Sendable {
    var itemCount: Int { get }

    /// The extent of the section along the scroll direction.
    var extent: Double { get }

    /// The maximum distance by which anything in the section extends beyond it on either side.
    var overhang: Double { get }
}

extension LaidOutSection {
    var overhang: Double { 0 }
}

/// The sum of the extents of sections.
struct SectionSums<Section: LaidOutSection>: SequenceSummary {
    private var exact: ExactSum
    /// The maximum overhang of the sections.
    private(set) var overhang: Double

    var sum: Double { exact.value }

    static var zero: SectionSums { SectionSums(exact: .zero, overhang: 0) }

    private init(exact: ExactSum, overhang: Double) {
        self.exact = exact
        self.overhang = overhang
    }

    init(of section: Section) {
        self.init(exact: ExactSum(section.extent), overhang: section.overhang)
    }

    func combined(with next: SectionSums) -> SectionSums {
        SectionSums(exact: exact + next.exact, overhang: max(overhang, next.overhang))
    }
}
