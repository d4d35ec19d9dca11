/// Neighbours that stay neighbours, in whatever form they are held.
///
/// Plans are made of plain runs, whose indexes may be any, and of compact ones, of which there may be millions. They are
/// compiled for each.
protocol SurvivorRun {
    var oldSection: Int { get }
    var oldItem: Int { get }
    var newSection: Int { get }
    var newItem: Int { get }
    var count: Int { get }

    init(oldSection: Int, oldItem: Int, newSection: Int, newItem: Int, count: Int)
}

extension SurvivorRun {
    var oldItems: Range<Int> { oldItem..<(oldItem + count) }

    func oldPath(at offset: Int) -> ItemPath {
        ItemPath(section: oldSection, item: oldItem + offset)
    }

    func newPath(at offset: Int) -> ItemPath {
        ItemPath(section: newSection, item: newItem + offset)
    }

    /// The part of the run that has some of its old items.
    func part(_ oldItems: Range<Int>) -> Self {
        Self(
            oldSection: oldSection,
            oldItem: oldItems.lowerBound,
            newSection: newSection,
            newItem: newItem + (oldItems.lowerBound - oldItem),
            count: oldItems.count
        )
    }
}
