// Where the labels between two neighbours are used up, the elements around them are spread out again.
// The part that is spread is the smallest aligned range of labels that is not too full: a range of
// 2^i labels may hold 2^(i/2) elements. So a range that was spread takes many insertions before it
// is spread again, and an insertion costs O(log n) new labels on average, wherever it is.
//
// Source: Bender, Cole, Demaine, Farach-Colton and Zito, "Two Simplified Algorithms for Maintaining
// Order in a List" (2002).

extension PersistentSequence.Transaction
where Element: OrderLabelled, Summary: OrderLabelSummary {
    /// Labels for `count` elements to be inserted at `position`.
    ///
    /// - Parameters:
    ///   - newest: the labels that were inserted last, if they are known.
    ///   - relabel: makes what is to take the place of an element, with another label.
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
        // One of the two exists, or there would have been room.
        return spread(around: previous ?? next ?? 0, room: count, at: position, relabel)
    }

    /// Spreads out the elements around `anchor`, a label beside `position`, and leaves room there.
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

    /// How many elements have a label below `label`.
    @inlinable
    func rank(of label: Int) -> Int {
        guard let root,
            label <= PersistentSequence.summary(of: root, height: height).lastLabel
        else { return count }
        let place = PersistentSequence.leafPlace(ofLabel: label, in: root, height: height)
        return place.start + place.leaf.offset
    }
}
