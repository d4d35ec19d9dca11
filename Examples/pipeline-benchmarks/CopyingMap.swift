import CollectionPipeline

/// An element map that copies everything for every change set: what Texture does, and what ours is
/// measured by.
///
/// Source: Texture's element map, its mutable copy, and the table from element to path that comes with
/// every immutable one.
struct CopyingMap<Element: AnyObject> {
    let sections: [[Element]]
    private let paths: [ObjectIdentifier: ItemPath]

    /// An immutable copy: every array, and the table again.
    init(copying sections: [[Element]]) {
        self.sections = sections.map { $0.copied() }
        var paths: [ObjectIdentifier: ItemPath] = [:]
        paths.reserveCapacity(sections.reduce(0) { $0 + $1.count })
        for (section, elements) in sections.enumerated() {
            for (item, element) in elements.enumerated() {
                paths[ObjectIdentifier(element)] = ItemPath(section: section, item: item)
            }
        }
        self.paths = paths
    }

    func path(of element: Element) -> ItemPath? { paths[ObjectIdentifier(element)] }

    /// The map after a change set: a mutable copy, an array edit for each path, an immutable copy.
    ///
    /// - Parameters:
    ///   - oldPaths: what is removed, descending.
    ///   - newPaths: where elements are inserted, ascending.
    ///   - elements: one for each new path.
    func applying(
        removing oldPaths: [ItemPath],
        inserting elements: [Element],
        at newPaths: [ItemPath]
    ) -> CopyingMap {
        var copy = sections.map { $0.copied() }
        for path in oldPaths { copy[path.section].remove(at: path.item) }
        for (path, element) in zip(newPaths, elements) {
            copy[path.section].insert(element, at: path.item)
        }
        return CopyingMap(copying: copy)
    }
}

extension Array {
    /// An array of its own: assigning one only shares it.
    fileprivate func copied() -> [Element] {
        var copy: [Element] = []
        copy.reserveCapacity(count)
        copy.append(contentsOf: self)
        return copy
    }
}
