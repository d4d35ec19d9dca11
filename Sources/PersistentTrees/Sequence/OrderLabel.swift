// Order labels locate an element of a sequence even after other elements were inserted or removed.
// Labels are numbers that ascend along the sequence; the label of an element stays the same while
// its neighbours change. Code that knows the label finds the element by descending the tree, in
// every version that contains it. Some elements get new labels only when the numbers between two
// neighbours are used up.

/// An element of a ``PersistentSequence`` with a label; labels ascend along the sequence.
@usableFromInline
package protocol OrderLabelled: Sendable {
    /// The label, which lies in ``OrderLabels/universe`` and is higher than that of the previous
    /// element.
    var label: Int { get }
}

/// A summary that contains the last label of a subtree.
@usableFromInline
package protocol OrderLabelSummary: SequenceSummary {
    /// The label of the last element, or -1 if there are no elements.
    var lastLabel: Int { get }
}

/// A summary that contains only the last label.
@usableFromInline
package struct LastLabel<Element: OrderLabelled>: OrderLabelSummary {
    @usableFromInline package let lastLabel: Int

    @inlinable
    package init(lastLabel: Int) { self.lastLabel = lastLabel }

    @inlinable
    package init(of element: Element) { lastLabel = element.label }

    @inlinable
    package static var zero: Self { Self(lastLabel: -1) }

    @inlinable
    package func combined(with next: Self) -> Self { next.lastLabel < 0 ? self : next }
}

/// Evenly spaced labels for elements that are inserted one after the other.
@usableFromInline
package struct OrderLabels: Sendable {
    @usableFromInline package let first: Int
    @usableFromInline package let step: Int

    @inlinable
    package init(first: Int, step: Int) {
        self.first = first
        self.step = step
    }

    /// Returns the label of the inserted element at `offset`.
    @inlinable
    package subscript(offset: Int) -> Int { first + offset * step }

    /// The range of valid labels.
    @inlinable
    package static var universe: Range<Int> { 0..<(1 << 62) }

    /// The distance between labels at either end of the sequence. It is wide enough to be halved 32
    /// times, and to append a billion elements.
    @inlinable
    package static var spacing: Int { 1 << 32 }

    /// Returns labels for `count` elements that are the only ones in their sequence.
    @inlinable
    package static func filling(_ count: Int) -> OrderLabels {
        // The labels are in the middle of the universe, with as much room before them as after
        // them.
        let step = max(1, min(spacing, universe.count / (count + 1)))
        return OrderLabels(first: (universe.upperBound - count * step) / 2, step: step)
    }

    /// Returns the range from the first to the last inserted label.
    @inlinable
    package func range(count: Int) -> ClosedRange<Int> { first...self[max(0, count - 1)] }

    /// Returns labels between the labels of two neighbours, or `nil` if there is not enough room. A
    /// neighbour that is `nil` is an end of the sequence.
    ///
    /// - Parameters:
    ///   - previous: The label of the element before the insertion, if there is one.
    ///   - next: The label of the element after the insertion, if there is one.
    ///   - count: The number of elements to insert.
    ///   - newest: The most recently inserted labels. Next to these, labels advance in small steps,
    ///     because a caller that inserts there will probably insert more. Thousands of elements
    ///     then fit if they are inserted one by one after a first element, or before a last one;
    ///     halving the gap each time would allow only 32.
    @inlinable
    package static func between(
        _ previous: Int?,
        _ next: Int?,
        count: Int,
        newest: ClosedRange<Int>? = nil
    ) -> OrderLabels? {
        let extent = count.multipliedReportingOverflow(by: spacing)
        switch (previous, next) {
        case (nil, nil):
            return filling(count)
        case (let previous?, nil)
        where !extent.overflow
            && extent.partialValue < universe.upperBound - previous:
            return OrderLabels(first: previous + spacing, step: spacing)
        case (nil, let next?) where !extent.overflow && extent.partialValue <= next:
            return OrderLabels(first: next - extent.partialValue, step: spacing)
        default:
            let low = previous ?? -1
            let high = next ?? universe.upperBound
            let step = (high - low) / (count + 1)
            guard step > 0 else { return nil }
            let smallStep = max(1, step >> 8)
            if let newest, previous == newest.upperBound {
                return OrderLabels(first: low + smallStep, step: smallStep)
            }
            if let newest, next == newest.lowerBound {
                return OrderLabels(first: high - count * smallStep, step: smallStep)
            }
            return OrderLabels(first: low + step, step: step)
        }
    }
}

extension PersistentSequence where Element: OrderLabelled, Summary: OrderLabelSummary {
    /// Returns the element with `label` and its position, or `nil` if there is none.
    ///
    /// Complexity: O(log n), without allocation.
    @inlinable @inline(__always)
    package func find(label: Int) -> (position: Int, element: Element)? {
        guard let root, label <= summary.lastLabel else { return nil }
        defer { _fixLifetime(root) }
        let place = Self.leafPlace(ofLabel: label, in: root, height: height)
        let element = place.leaf.elements[place.leaf.offset]
        return element.label == label ? (place.start + place.leaf.offset, element) : nil
    }

    /// Returns the leaf with the first element whose label is not below `label`, and the position
    /// at which the leaf starts. Such an element must exist. The result is valid while `root` is
    /// retained.
    @inlinable
    static func leafPlace(
        ofLabel label: Int,
        in root: AnyObject,
        height: Int
    ) -> (start: Int, leaf: LeafPlace) {
        var start = 0
        var node = Unmanaged.passUnretained(root)
        for _ in 0..<height {
            node = node._withUnsafeGuaranteedRef { object in
                var child = unsafeDowncast(object, to: Inner.self).payloads
                while child.pointee.summary.lastLabel < label {
                    start += child.pointee.count
                    child += 1
                }
                return Unmanaged.passUnretained(child.pointee.node)
            }
        }
        return node._withUnsafeGuaranteedRef { object in
            let leaf = unsafeDowncast(object, to: Leaf.self)
            var offset = 0
            while leaf.payloads[offset].label < label { offset += 1 }
            return (
                start,
                LeafPlace(elements: leaf.payloads, count: leaf.payloadCount, offset: offset)
            )
        }
    }
}

// When the labels between two neighbours are used up, the elements around them are spread out
// again. The range that is spread is the smallest aligned range of labels that is not too full: a
// range of 2^i labels may hold 2^(i/2) elements. A range that was spread can therefore absorb many
// insertions before it must be spread again, and an insertion costs O(log n) new labels on average,
// at any position.
//
// Source: Bender, Cole, Demaine, Farach-Colton and Zito, "Two Simplified Algorithms for Maintaining
// Order in a List" (2002).

extension PersistentSequence.Transaction
where Element: OrderLabelled, Summary: OrderLabelSummary {
    /// Returns labels for `count` elements that will be inserted at `position`, and relabels
    /// existing elements if there is no room.
    ///
    /// - Parameters:
    ///   - count: The number of elements that will be inserted.
    ///   - position: The position of the first of them.
    ///   - newest: The most recently inserted labels, if they are known.
    ///   - relabel: A closure that returns the replacement for an element, with the given label.
    @inlinable
    package mutating func labels(
        forInserting count: Int,
        at position: Int,
        newest: ClosedRange<Int>? = nil,
        relabel: (Element, Int) -> Element
    ) -> OrderLabels {
        let previous = position > 0 ? self[position - 1].label : nil
        let next = position < self.count ? self[position].label : nil
        let found = OrderLabels.between(previous, next, count: count, newest: newest)
        if let found { return found }
        // One of the two exists; otherwise there would have been room.
        return spread(around: previous ?? next ?? 0, room: count, at: position, relabel)
    }

    /// Spreads out the elements around `anchor`, the label of a neighbour of `position`, and leaves
    /// room at `position`.
    @inlinable
    mutating func spread(
        around anchor: Int,
        room: Int,
        at position: Int,
        _ relabel: (Element, Int) -> Element
    ) -> OrderLabels {
        var bits = 1
        var window: Range<Int>
        var members: Range<Int>
        repeat {
            bits += 1
            let start = anchor & ~((1 << bits) - 1)
            window = start..<(start + 1 << bits)
            members = rank(of: window.lowerBound)..<rank(of: window.upperBound)
        } while members.count + room > 1 << (bits / 2) && window != OrderLabels.universe
        let step = window.count / (members.count + room + 1)
        guard step > 0 else { fatalError("no labels for \(members.count + room) elements") }
        var label = window.lowerBound
        for member in members {
            if member == position { label += room * step }
            label += step
            replace(at: member, with: relabel(self[member], label))
        }
        let first = window.lowerBound + (position - members.lowerBound + 1) * step
        return OrderLabels(first: first, step: step)
    }

    /// Returns the number of elements whose label is below `label`.
    @inlinable
    func rank(of label: Int) -> Int {
        guard let root,
            label <= PersistentSequence.summary(of: root, height: height).lastLabel
        else { return count }
        let place = PersistentSequence.leafPlace(ofLabel: label, in: root, height: height)
        return place.start + place.leaf.offset
    }
}
