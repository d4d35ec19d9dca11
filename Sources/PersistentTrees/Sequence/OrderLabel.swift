// Order labels: how an element is found again in a sequence that others are inserted into and removed
// from. A label is a number that ascends along the sequence and stays the same while its neighbours
// come and go, so whoever knows the label finds the element by descending the tree, in every version
// that has it. Only where the numbers between two neighbours are used up do some elements around
// them get new ones.

/// An element of a ``PersistentSequence`` with a label that ascends along the sequence.
@usableFromInline
package protocol OrderLabelled: Sendable {
    /// Within ``OrderLabels/universe``, and higher than that of the element before.
    var label: Int { get }
}

/// A summary from which the last label of a subtree can be read.
@usableFromInline
package protocol OrderLabelSummary: SequenceSummary {
    /// The label of the last element, or -1 where there is none.
    var lastLabel: Int { get }
}

/// Nothing but the last label.
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

/// Labels for elements that are inserted one after the other.
@usableFromInline
package struct OrderLabels: Sendable {
    @usableFromInline package let first: Int
    @usableFromInline package let step: Int

    @inlinable
    package init(first: Int, step: Int) {
        self.first = first
        self.step = step
    }

    /// The label of the element at `offset` among those inserted.
    @inlinable
    package subscript(offset: Int) -> Int { first + offset * step }

    /// What labels may be.
    @inlinable
    package static var universe: Range<Int> { 0..<(1 << 62) }

    /// The distance of neighbours where there is nothing on one side: wide enough to halve it 32
    /// times, and to append a billion times.
    @inlinable
    package static var spacing: Int { 1 << 32 }

    /// Labels for a sequence of `count` elements and nothing else.
    @inlinable
    package static func filling(_ count: Int) -> OrderLabels {
        // In the middle, so that there is as much room before as behind.
        let step = max(1, min(spacing, universe.count / (count + 1)))
        return OrderLabels(first: (universe.upperBound - count * step) / 2, step: step)
    }

    /// The labels that were inserted, first to last.
    @inlinable
    package func range(count: Int) -> ClosedRange<Int> { first...self[max(0, count - 1)] }

    /// Labels between those of two neighbours, where nil is an end of the sequence; nil if there are
    /// not enough.
    ///
    /// - Parameter newest: the labels that were inserted last. Beside them it goes on in small steps,
    ///   since who puts something there will do it again: what is inserted one by one behind a first
    ///   element, or before a last one, finds room thousands of times where halves last 32 times.
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
    /// The element with `label` and its position, or nil if there is none.
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

    /// The leaf with the first element whose label is not below `label`, which must exist, and the
    /// position at which the leaf starts; valid while `root` is held.
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
