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
