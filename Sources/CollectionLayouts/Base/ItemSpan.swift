import PersistentTrees

/// A range of a section's items that was replaced by another range; either may be empty.
///
/// Between two spans of a section there is at least one item that stayed.
public struct ItemSpan: Hashable, Sendable {
    /// The indexes of the removed items before the change.
    public var old: Range<Int>

    /// The indexes of the inserted items after the change.
    public var new: Range<Int>

    /// Creates a span without checking it.
    public init(old: Range<Int>, new: Range<Int>) {
        self.old = old
        self.new = new
    }

    /// Returns the spans of items that changed in place.
    ///
    /// - Parameter items: The indexes of the items, ascending.
    static func spans(changed items: [Int]) -> [ItemSpan] {
        spans(removed: items, inserted: items)
    }

    /// Returns the spans of removed items and inserted items, both ascending.
    static func spans(removed: [Int], inserted: [Int]) -> [ItemSpan] {
        var spans: [ItemSpan] = []
        var (removals, insertions) = (0, 0)
        while removals < removed.count || insertions < inserted.count {
            // The number of kept items before the next edit on either side.
            let kept = min(
                removals < removed.count ? removed[removals] - removals : .max,
                insertions < inserted.count ? inserted[insertions] - insertions : .max
            )
            let (oldStart, newStart) = (kept + removals, kept + insertions)
            while removals < removed.count, removed[removals] - removals == kept { removals += 1 }
            while insertions < inserted.count, inserted[insertions] - insertions == kept {
                insertions += 1
            }
            spans.append(
                ItemSpan(old: oldStart..<(kept + removals), new: newStart..<(kept + insertions))
            )
        }
        return spans
    }
}

extension PersistentSequence {
    /// Returns the sequence with other elements in the replaced spans.
    ///
    /// - Parameters:
    ///   - spans: The replaced spans, ascending.
    ///   - makeElements: A closure that returns the inserted elements for their new indexes.
    /// - Complexity: O(k log n) for k spans, plus the number of inserted elements.
    func replacing(
        _ spans: [ItemSpan],
        with makeElements: (_ newItems: Range<Int>) -> PersistentSequence
    ) -> PersistentSequence {
        replacing(spans, with: makeElements) { Array(makeElements($0)) }
    }

    /// Returns the sequence with other elements in the replaced spans, made one by one.
    func replacing(
        _ spans: [ItemSpan],
        withEach makeElement: (_ newItem: Int) -> Element
    ) -> PersistentSequence {
        replacing(spans) {
            PersistentSequence($0.map(makeElement))
        } listing: {
            $0.map(makeElement)
        }
    }

    /// Consecutive short spans are edited in one transaction, which copies each node once. A long
    /// one, and one that reaches beyond the sequence, is cut out, and its elements are joined in as
    /// a whole.
    private func replacing(
        _ spans: [ItemSpan],
        with makeElements: (_ newItems: Range<Int>) -> PersistentSequence,
        listing makeList: (_ newItems: Range<Int>) -> [Element]
    ) -> PersistentSequence {
        var elements = self
        var rest = spans[...]
        while let span = rest.first {
            var count = elements.count
            let short = rest.prefix { span in
                let room = count - span.new.lowerBound
                guard span.new.lowerBound >= 0, room >= span.old.count,
                    Swift.max(span.old.count, span.new.count) <= nodeCapacity.leaf
                else { return false }
                count += span.new.count - span.old.count
                return true
            }
            if short.isEmpty {
                let start = span.new.lowerBound
                elements = elements.replacing(
                    start..<(start + span.old.count),
                    with: makeElements(span.new)
                )
                rest = rest.dropFirst()
            } else {
                var transaction = elements.transaction()
                for span in short { transaction.replace(span, with: makeList(span.new)) }
                elements = transaction.commit()
                rest = rest.dropFirst(short.count)
            }
        }
        return elements
    }
}

extension PersistentSequence.Transaction {
    /// Replaces one span. The elements before it are already in the new index space.
    fileprivate mutating func replace(_ span: ItemSpan, with new: [Element]) {
        let start = span.new.lowerBound
        for (offset, element) in new.enumerated() {
            if offset < span.old.count {
                replace(at: start + offset, with: element)
            } else {
                insert(element, at: start + offset)
            }
        }
        for _ in 0..<Swift.max(0, span.old.count - new.count) { remove(at: start + new.count) }
    }
}

/// A sum of distances that does not depend on the order of additions. The result of step-by-step
/// changes therefore equals that of a complete layout, to the last digit.
///
/// The sum keeps the part that each addition rounds off. It is exact as long as that part itself is
/// not rounded: for n distances that are multiples of a smallest digit and add up to s digits, as
/// long as n × s is below 2¹⁰⁶. Millions of distances of at least one unit are far from that limit.
/// Beyond it, sums are still more accurate than those of plain numbers, but depend on the order.
///
/// Source: D. E. Knuth, "The Art of Computer Programming", volume 2, 4.2.2, theorem B; the errors
/// are summed as in Ogita, Rump and Oishi, "Accurate Sum and Dot Product" (2005).
struct ExactSum: Sendable {
    private let rounded: Double
    /// The part that was rounded off. For sums of large numbers it may be NaN; `rounded` is
    /// infinite then.
    private let rest: Double

    static let zero = ExactSum(0)

    @inline(__always)
    init(_ value: Double) { self.init(value, 0) }

    @inline(__always)
    private init(_ rounded: Double, _ rest: Double) {
        self.rounded = rounded
        self.rest = rest
    }

    /// The sum, rounded only once.
    @inline(__always)
    var value: Double { rounded.isFinite ? rounded + rest : rounded }

    /// Returns the sum of two sums. There is no branch, and each of the two chains of dependent
    /// additions is one step long, because a sum over a million elements consists of such
    /// additions.
    @inline(__always)
    static func + (first: ExactSum, second: ExactSum) -> ExactSum {
        let sum = first.rounded + second.rounded
        let part = sum - first.rounded
        let lost = (first.rounded - (sum - part)) + (second.rounded - part)
        return ExactSum(sum, first.rest + second.rest + lost)
    }
}
