import PersistentTrees

extension ElementMap {
    /// All items, ordered by path.
    public var items: Items { Items(map: self, start: ItemPath(section: 0, item: 0)) }

    /// Returns the items from `path` on, ordered by path. If `path` does not exist, the sequence
    /// begins at the next path that does.
    public func items(from path: ItemPath) -> Items { Items(map: self, start: path) }

    /// A sequence of items ordered by path, each with its path and content.
    public struct Items: Sequence, Sendable {
        fileprivate let map: ElementMap
        fileprivate let start: ItemPath

        /// Returns an iterator that begins at the first item.
        public func makeIterator() -> Iterator { Iterator(map: map, start: start) }

        /// An item with its path and content.
        public struct Element: Sendable {
            /// The path of the item in this map.
            public let path: ItemPath
            /// The content of the item in this map.
            public let content: ElementContent
            /// The item.
            public var element: CollectionElement { content.element }
        }

        /// An iterator over items ordered by path.
        public struct Iterator: IteratorProtocol, Sendable {
            private let entries: Entries
            private var section: Int
            private var item: Int
            private var slots: Slots.Iterator?

            fileprivate init(map: ElementMap, start: ItemPath) {
                entries = map.storage.entries
                section = Swift.max(0, start.section)
                item = start.section < 0 ? 0 : Swift.max(0, start.item)
            }

            /// Returns the next item, or `nil` after the last.
            public mutating func next() -> Element? {
                while true {
                    if let slot = slots?.next() {
                        let path = ItemPath(section: section, item: item)
                        item += 1
                        return Element(path: path, content: slot.content)
                    }
                    if slots != nil {
                        section += 1
                        item = 0
                    }
                    guard section < entries.count else { return nil }
                    slots = entries[section].slots.makeIterator(from: item)
                }
            }
        }
    }

    /// Calls `body` for every item of one section.
    package func forEachItem(inSection section: Int, _ body: (CollectionElement) -> Void) {
        guard storage.entries.indices.contains(section) else { return }
        for slot in storage.entries[section].slots { body(slot.element) }
    }

    /// Calls `body` for every element, items and supplementary elements, section by section.
    package func forEachElement(_ body: (CollectionElement) -> Void) {
        for entry in storage.entries {
            for slot in entry.slots { body(slot.element) }
            for run in entry.supplementaries {
                for content in run.contents { body(content.element) }
            }
        }
    }
}

/// The supplementary elements of one kind in one section, by number.
package struct SupplementaryRun: Sendable {
    package typealias Contents = PersistentSequence<ElementContent, NoSummary<ElementContent>>

    package let kind: SupplementaryKind
    package var contents: Contents

    /// Creates an empty run. Most sections have one element of a kind, so the tree nodes are small.
    package init(kind: SupplementaryKind) {
        let contents = Contents(nodeCapacity: NodeCapacity(leaf: 4, inner: 16))
        self.init(kind: kind, contents: contents)
    }

    package init(kind: SupplementaryKind, contents: Contents) {
        self.kind = kind
        self.contents = contents
    }
}
