import CollectionLayouts

/// How the nodes of few items look: those that were told that they are selected or touched.
///
/// A value: it is told how nodes are to look and returns what is to be told.
struct NodeLooks {
    struct Look: Equatable {
        var isSelected = false
        var isHighlighted = false

        /// As most do.
        static let plain = Look()
    }

    /// What is to be told: of the item that was at `path` when it was looked for last.
    typealias Change = (node: any SelectableNode, path: ItemPath, old: Look, new: Look)

    private struct Known {
        let node: any SelectableNode
        let path: ItemPath
        let look: Look
        let order: Int
    }

    private var told: [ObjectIdentifier: Known] = [:]
    private var nextOrder = 0

    /// Notes how a node is to look.
    ///
    /// - Returns: what it is to be told; nil where it knows.
    mutating func set(
        _ node: any SelectableNode,
        ofItemAt path: ItemPath,
        _ look: Look
    ) -> Change? {
        let known = told[ObjectIdentifier(node)]
        let old = known?.look ?? .plain
        guard look != old else { return nil }
        if look == .plain {
            told[ObjectIdentifier(node)] = nil
        } else {
            nextOrder += 1
            told[ObjectIdentifier(node)] = Known(
                node: node,
                path: path,
                look: look,
                order: known?.order ?? nextOrder
            )
        }
        return (node, path, old, look)
    }

    /// Notes that all but these look plain.
    ///
    /// - Returns: what is to be told, in the order in which they were told first.
    mutating func keepOnly(_ kept: Set<ObjectIdentifier>) -> [Change] {
        let gone = told.filter { !kept.contains($0.key) }.values.sorted { $0.order < $1.order }
        told = told.filter { kept.contains($0.key) }
        return gone.map { ($0.node, $0.path, $0.look, .plain) }
    }
}
