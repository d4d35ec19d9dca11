import PersistentTrees

// What layouts keep of lines, rows and sections: sequences with sums, of which whole stretches are cut out
// and put in at once, and in which equal stretches share their nodes. That is what tells it from
// `PersistentSequence`, which is searched by sums too, but edits elements one by one, in transactions.
// Both are persistent; nodes here are never written again once they are made.

/// A sequence with a summary of any prefix.
///
/// Leaves hold up to 64 elements, inner nodes up to 32 children, and all but the root are at least half
/// full. Indexes are clamped or answered with nil; nothing here traps.
///
/// Threading: a value that may be read from anywhere. Complexity: O(log n) for every operation, plus
/// what is inserted.
///
/// Source: Boehm, Atkinson and Plass, "Ropes: an Alternative to Strings" (1995); joining as in the
/// B-tree ropes of the Xi editor.
struct ExtentTree<Element: Sendable, Summary: SequenceSummary>: Sendable
where Summary.Element == Element {
    typealias Elements = ContiguousArray<Element>

    static var leafCapacity: Int { 64 }
    static var innerCapacity: Int { 32 }

    /// A leaf has elements and height 0, an inner node has children, all one less high than it is.
    final class Node: Sendable {
        let height: Int
        let count: Int
        let summary: Summary
        let elements: Elements
        let children: ContiguousArray<Node>

        init(elements: Elements) {
            height = 0
            count = elements.count
            self.elements = elements
            children = []
            var summary = Summary.zero
            for element in elements { summary = summary.combined(with: Summary(of: element)) }
            self.summary = summary
        }

        /// - Parameter children: at least one, all equally high.
        init(children: ContiguousArray<Node>) {
            height = children[0].height + 1
            elements = []
            self.children = children
            var summary = Summary.zero
            var count = 0
            for child in children {
                summary = summary.combined(with: child.summary)
                count += child.count
            }
            self.summary = summary
            self.count = count
        }
    }

    /// nil if there are no elements.
    var root: Node?

    init() {}

    init(root: Node?) { self.root = root }

    /// Complexity: O(n).
    init(_ elements: Elements) {
        var builder = Builder()
        for element in elements { builder.append(element) }
        self = builder.tree()
    }

    /// `count` times the same; equal parts are one and the same node.
    ///
    /// Complexity: O(log² n).
    init(repeating element: Element, count: Int) {
        guard count > Self.leafCapacity else {
            self.init(Elements(repeating: element, count: Swift.max(0, count)))
            return
        }
        let half = Self(repeating: element, count: count / 2)
        let twice = half.appending(half)
        self = count.isMultiple(of: 2) ? twice : twice.appending(Self([element]))
    }

    var count: Int { root?.count ?? 0 }

    var isEmpty: Bool { root == nil }

    /// The summary of all elements.
    var summary: Summary { root?.summary ?? .zero }
}

// MARK: - Reading

extension ExtentTree {
    /// The element at `index`, or nil if there is none.
    func element(at index: Int) -> Element? {
        leaf(with: index).map { $0.elements[$0.offset] }
    }

    /// The summary of the elements before `index`.
    func summary(before index: Int) -> Summary {
        var summary = Summary.zero
        let leaf = leaf(with: index) { summary = summary.combined(with: $0.summary) }
        guard let leaf else { return index < count ? .zero : self.summary }
        for element in leaf.elements[..<leaf.offset] {
            summary = summary.combined(with: Summary(of: element))
        }
        return summary
    }

    /// The leaf that holds the element at `index`, and where in it; nil if there is no such element.
    ///
    /// - Parameter pass: called with the nodes that the way leaves behind, first to last.
    @inline(__always)
    func leaf(
        with index: Int,
        passing pass: (Node) -> Void = { _ in }
    ) -> (elements: Elements, offset: Int)? {
        guard index >= 0, index < count, var node = root else { return nil }
        var offset = index
        while node.height > 0 {
            let way = Self.childIndex(of: offset, in: node, passing: pass)
            (node, offset) = (node.children[way.child], way.offset)
        }
        return (node.elements, offset)
    }

    /// The child that holds the element at `index`, and the element's index in it.
    ///
    /// - Parameters:
    ///   - index: of an element that the node has.
    ///   - pass: called with the children before it.
    @inline(__always)
    static func childIndex(
        of index: Int,
        in node: Node,
        passing pass: (Node) -> Void = { _ in }
    ) -> (child: Int, offset: Int) {
        var (child, offset) = (0, index)
        while offset >= node.children[child].count {
            offset -= node.children[child].count
            pass(node.children[child])
            child += 1
        }
        return (child, offset)
    }

    /// A place that was searched for.
    struct Place {
        var index: Int
        /// The summary of what comes before.
        var before: Summary
    }

    /// The first element up to which, itself included, count and summary fulfil `condition`, or the end.
    ///
    /// - Parameter condition: once true, it stays true as more elements are included.
    func place(where condition: (_ count: Int, _ summary: Summary) -> Bool) -> Place {
        guard var node = root, condition(count, summary) else {
            return Place(index: count, before: summary)
        }
        var place = Place(index: 0, before: .zero)
        while node.height > 0 {
            // The last child is entered in any case, also where sums do not add up exactly.
            let last = node.children.count - 1
            var next = node.children[last]
            for child in node.children[..<last] {
                let through = place.before.combined(with: child.summary)
                if condition(place.index + child.count, through) {
                    next = child
                    break
                }
                place = Place(index: place.index + child.count, before: through)
            }
            node = next
        }
        for element in node.elements.dropLast() {
            let through = place.before.combined(with: Summary(of: element))
            if condition(place.index + 1, through) { break }
            place = Place(index: place.index + 1, before: through)
        }
        return place
    }
}
