import CollectionPipeline

/// The names of everything in a map, by identity, to be recognised in a later map.
struct ElementNames {
    let map: ElementMap
    private let elements: [CollectionElement: String]
    private let sections: [CollectionSection: String]

    /// Names every section `sN` and every item `oS.I` after its place.
    init(of map: ElementMap) {
        self.map = map
        var elements: [CollectionElement: String] = [:]
        for item in map.items {
            elements[item.element] = "o\(item.path.section).\(item.path.item)"
        }
        self.elements = elements
        var sections: [CollectionSection: String] = [:]
        for index in map.shape.itemCounts.indices {
            if let section = map.section(at: index) { sections[section] = "s\(index)" }
        }
        self.sections = sections
    }

    /// The names of the sections and items of `later`; what is new is `tK` and `nK`, K being the
    /// number under which it was asked for, and `?` what was not.
    func names(in later: ElementMap) -> (sections: [String], map: [[String]]) {
        var names: (sections: [String], map: [[String]]) = ([], [])
        for (index, count) in later.shape.itemCounts.enumerated() {
            if let section = later.section(at: index) { names.sections.append(name(of: section)) }
            names.map.append(
                (0..<count).map { item in
                    later.element(at: ItemPath(section: index, item: item)).map(name) ?? "?"
                }
            )
        }
        return names
    }

    private func name(of section: CollectionSection) -> String {
        if let name = sections[section] { return name }
        return (section.context as? NumberedContext).map { "t\($0.number)" } ?? "?"
    }

    private func name(of element: CollectionElement) -> String {
        if let name = elements[element] { return name }
        return (element.nodeIfAllocated as? NumberedNode).map { "n\($0.number)" } ?? "?"
    }
}
