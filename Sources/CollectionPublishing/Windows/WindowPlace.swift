/// Where in a list the part is that a reader sees.
///
/// A replica of a window has the sections and items of consecutive rows, so only its first and last section can lack
/// items; indexes and paths in it are those of the window. This says where they are in the whole list.
public struct WindowPlace: Hashable, Sendable {
    /// How many sections the list has.
    public let totalSections: Int
    /// How many items the list has, in all sections.
    public let totalItems: Int
    /// Which section of the list the window's first one is.
    public let firstSection: Int
    /// Which item of that section the window's first one is: as many of it are not seen.
    public let firstItem: Int
    /// How many items of the list come before the window's first one, in all sections.
    public let itemsBefore: Int

    /// Makes a place, such as one that was read from elsewhere; nothing is checked.
    public init(
        totalSections: Int,
        totalItems: Int,
        firstSection: Int,
        firstItem: Int,
        itemsBefore: Int
    ) {
        self.totalSections = totalSections
        self.totalItems = totalItems
        self.firstSection = firstSection
        self.firstItem = firstItem
        self.itemsBefore = itemsBefore
    }

    /// The row of the header of the window's first section, whether or not the window begins with it.
    public var headerRow: Int { itemsBefore &- firstItem &+ firstSection }

    /// All of its numbers.
    var numbers: [Int] { [totalSections, totalItems, firstSection, firstItem, itemsBefore] }

    /// Why a window cannot be there that has the sections and items of `shape`; nil where it can.
    func misfit(_ shape: HierarchyShape) -> String? {
        let items = shape.itemCounts.reduce(0, +)
        // Subtracted, since nothing is known of how large the numbers are.
        guard numbers.allSatisfy({ (0...WireMessage.greatestInteger).contains($0) }),
            firstSection <= totalSections, shape.numberOfSections <= totalSections - firstSection,
            itemsBefore <= totalItems, items <= totalItems - itemsBefore,
            firstItem <= itemsBefore, firstItem == 0 || shape.numberOfSections > 0,
            firstSection > 0 || itemsBefore == firstItem
        else {
            return "a window of \(shape) must be within its list, but is at section"
                + " \(firstSection) of \(totalSections), at item \(firstItem) of it, and at item"
                + " \(itemsBefore) of \(totalItems)"
        }
        return nil
    }
}
