// Cutting and joining, of which edits of whole stretches are made; a single element is replaced in its place.

extension ExtentTree {
    /// Both, one behind the other.
    func appending(_ other: ExtentTree) -> ExtentTree {
        guard let root else { return other }
        guard let otherRoot = other.root else { return self }
        return ExtentTree(root: Self.join(root, otherRoot))
    }

    /// The elements in `range`, as far as there are any.
    func slice(_ range: Range<Int>) -> ExtentTree {
        guard let root, let head = Self.split(root, at: range.upperBound).0 else {
            return ExtentTree()
        }
        return ExtentTree(root: Self.split(head, at: range.lowerBound).1)
    }

    /// With `replacement` in place of the elements in `range`.
    func replacing(_ range: Range<Int>, with replacement: ExtentTree) -> ExtentTree {
        slice(0..<range.lowerBound).appending(replacement)
            .appending(slice(range.upperBound..<(.max)))
    }

    /// With another element at `index`; unchanged if there is none.
    func replacing(at index: Int, with element: Element) -> ExtentTree {
        guard index >= 0, index < count, let root else { return self }
        return ExtentTree(root: Self.replacing(root, at: index, with: element))
    }

    private static func replacing(_ node: Node, at index: Int, with element: Element) -> Node {
        if node.height == 0 {
            var elements = node.elements
            elements[index] = element
            return Node(elements: elements)
        }
        var children = node.children
        let (child, offset) = childIndex(of: index, in: node)
        children[child] = replacing(children[child], at: offset, with: element)
        return Node(children: children)
    }

    // MARK: Cutting

    /// What is before `index`, and what is from there on.
    private static func split(_ node: Node, at index: Int) -> (Node?, Node?) {
        if index <= 0 { return (nil, node) }
        if index >= node.count { return (node, nil) }
        if node.height == 0 {
            return (
                Node(elements: Elements(node.elements[..<index])),
                Node(elements: Elements(node.elements[index...]))
            )
        }
        let (child, offset) = childIndex(of: index, in: node)
        let (left, right) = split(node.children[child], at: offset)
        let before = parent(of: node.children[..<child])
        let behind = parent(of: node.children[(child + 1)...])
        return (joinIfAny(before, left), joinIfAny(right, behind))
    }

    /// A node over some of another's children.
    private static func parent(of children: ContiguousArray<Node>.SubSequence) -> Node? {
        children.count < 2 ? children.first : Node(children: ContiguousArray(children))
    }

    private static func joinIfAny(_ first: Node?, _ second: Node?) -> Node? {
        guard let first else { return second }
        guard let second else { return first }
        return join(first, second)
    }

    // MARK: Joining

    /// Whether the node may hang below another.
    private static func isFilled(_ node: Node) -> Bool {
        node.height == 0
            ? node.count >= leafCapacity / 2 : node.children.count >= innerCapacity / 2
    }

    private static func join(_ first: Node, _ second: Node) -> Node {
        if first.height < second.height {
            let joined = join(first, second.children[0])
            let front = joined.height < second.height ? [joined] : joined.children
            return merged(front + second.children.dropFirst())
        }
        if first.height > second.height {
            let joined = join(first.children[first.children.count - 1], second)
            let back = joined.height < first.height ? [joined] : joined.children
            return merged(first.children.dropLast() + back)
        }
        if isFilled(first), isFilled(second) { return Node(children: [first, second]) }
        return first.height == 0
            ? merged(first.elements + second.elements)
            : merged(first.children + second.children)
    }

    private static func merged(_ elements: Elements) -> Node {
        guard elements.count > leafCapacity else { return Node(elements: elements) }
        let middle = elements.count / 2
        return Node(children: [
            Node(elements: Elements(elements[..<middle])),
            Node(elements: Elements(elements[middle...])),
        ])
    }

    private static func merged(_ children: ContiguousArray<Node>) -> Node {
        guard children.count > innerCapacity else { return Node(children: children) }
        let middle = children.count / 2
        return Node(children: [
            Node(children: ContiguousArray(children[..<middle])),
            Node(children: ContiguousArray(children[middle...])),
        ])
    }
}
