/// A first-in, first-out queue that removes its first element in amortized constant time.
@usableFromInline
package struct FIFO<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    @inlinable
    package init() {}

    @inlinable
    package var count: Int { elements.count - head }
    @inlinable
    package var isEmpty: Bool { count == 0 }
    @inlinable
    package var first: Element? { isEmpty ? nil : elements[head] }
    @inlinable
    package var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

    /// The element at `position`, counted from the first.
    @inlinable
    package subscript(position: Int) -> Element {
        get {
            guard let element = elements[head + position] else {
                fatalError("no element at \(position) of \(count)")
            }
            return element
        }
        set { elements[head + position] = newValue }
    }

    @inlinable
    package mutating func append(_ element: Element) { elements.append(element) }

    /// Changes the last element, if there is one, in place.
    @inlinable
    package mutating func updateLast(_ body: (inout Element) -> Void) {
        if !isEmpty { body(&elements[elements.count - 1]!) }
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            // The new buffer has the right size, so that a queue that was long releases memory.
            elements = Array(elements[head...])
            head = 0
        }
        return element
    }

    /// Removes and returns all elements, first to last.
    @inlinable
    package mutating func removeAll() -> [Element] {
        defer {
            elements = []
            head = 0
        }
        return elements[head...].compactMap { $0 }
    }

    /// Removes and returns the first element that satisfies `predicate`.
    @inlinable
    package mutating func removeFirst(where predicate: (Element) -> Bool) -> Element? {
        for position in head..<elements.count {
            if let element = elements[position], predicate(element) {
                elements.remove(at: position)
                return element
            }
        }
        return nil
    }
}
