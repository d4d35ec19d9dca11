import CollectionElements

extension ItemPath {
    /// Short, for tests.
    package init(_ section: Int, _ item: Int) { self.init(section: section, item: item) }
}

extension ElementMap {
    /// The models of all items, by section.
    package var texts: [[String]] {
        var result = Array(repeating: [String](), count: numberOfSections)
        for item in items { result[item.path.section].append(item.content.model as? String ?? "-") }
        return result
    }

    /// The identities of all items, by section.
    package var elements: [[CollectionElement]] {
        var result = Array(repeating: [CollectionElement](), count: numberOfSections)
        for item in items { result[item.path.section].append(item.element) }
        return result
    }

    /// The texts of the nodes of all items, by section; `-` where there is no node.
    package var nodeTexts: [[String]] {
        elements.map { $0.map { ($0.nodeIfAllocated as? TextNode)?.text ?? "-" } }
    }
}

extension ElementState {
    /// The state in a word.
    package var text: String {
        switch self {
        case .pending: "pending"
        case .allocating: "allocating"
        case .measured: "measured"
        case .skipped: "skipped"
        case .failed: "failed"
        }
    }
}

extension HierarchyChangeSet.Operation {
    /// The same operation with another option.
    package func animated(_ option: AnimationOption) -> Self {
        switch self {
        case .deleteItems(let paths, _): .deleteItems(paths, option)
        case .insertItems(let paths, _): .insertItems(paths, option)
        case .reloadItems(let paths, _): .reloadItems(paths, option)
        case .reconfigureItems(let paths, _): .reconfigureItems(paths, option)
        case .moveItem(let old, let new, _): .moveItem(at: old, to: new, option)
        case .deleteSections(let sections, _): .deleteSections(sections, option)
        case .insertSections(let sections, _): .insertSections(sections, option)
        case .reloadSections(let sections, _): .reloadSections(sections, option)
        case .moveSection(let old, let new, _): .moveSection(old, toSection: new, option)
        case .reconfigureSections(let sections, _): .reconfigureSections(sections, option)
        case .reloadSupplementaries(let kind, let sections, _):
            .reloadSupplementaries(kind, in: sections, option)
        case .reloadData: .reloadData(option)
        }
    }
}
