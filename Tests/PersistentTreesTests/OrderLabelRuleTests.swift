import Testing

@testable import PersistentTrees

/// Which labels there are, exactly, where other tests ask only whether they ascend.
@Suite("Rules of order labels")
struct OrderLabelRuleTests {
    private static let end = OrderLabels.universe.upperBound
    private static let spacing = OrderLabels.spacing

    @Test func aNewSequenceHasAsMuchRoomBeforeAsBehind() {
        #expect(OrderLabels.universe == 0..<(1 << 62))
        for count in [1, 2, 3, 1000, 1 << 24, 1 << 30, 1 << 61, (1 << 62) - 1] {
            let labels = OrderLabels.filling(count)
            let (before, behind) = (labels[0], Self.end - labels[count - 1])
            #expect(abs(before - behind) <= labels.step + 1, "\(count)")
            #expect(labels[0] >= 0 && labels.step <= Self.spacing)
        }
    }

    /// Half a billion on each side.
    @Test func labelsAtTheEndsAreAsFarApartAsInANewSequence() throws {
        let only = OrderLabels.filling(1)[0]
        for count in [1, 3, 1 << 29 - 1] {
            let behind = try #require(OrderLabels.between(only, nil, count: count))
            #expect(behind.first == only + Self.spacing && behind.step == Self.spacing)
            let before = try #require(OrderLabels.between(nil, only, count: count))
            #expect(before.first == only - count * Self.spacing && before.step == Self.spacing)
        }
        let exact = try #require(OrderLabels.between(nil, 3 * Self.spacing, count: 3))
        #expect(exact.first == 0 && exact.step == Self.spacing)
    }

    @Test func theRangeOfSomeLabelsIsFromTheFirstToTheLast() {
        let labels = OrderLabels(first: 10, step: 5)
        #expect((0...3).map { labels.range(count: $0) } == [10...10, 10...10, 10...15, 10...20])
    }

    /// A 256th of the distance, beside what was inserted last; elsewhere the middle.
    @Test func labelsBesideTheNewestGoOnInSmallSteps() throws {
        let (low, high) = (100, 100 + 1 << 40)
        let half = 1 << 39
        let cases: [(newest: ClosedRange<Int>?, label: Int)] = [
            (nil, low + half), (50...low, low + half >> 8), (low...low, low + half >> 8),
            (high...(high + 9), high - half >> 8), (high...high, high - half >> 8),
            (20...50, low + half), (low...high, low + half),
            ((high + 5)...(high + 9), low + half),
        ]
        for (newest, label) in cases {
            let labels = OrderLabels.between(low, high, count: 1, newest: newest)
            #expect(labels?.first == label, "\(newest.map { "\($0)" } ?? "nothing")")
        }
        let third = (high - low) / 4
        let three = try #require(OrderLabels.between(low, high, count: 3, newest: high...high))
        #expect(three.step == third >> 8 && three[2] == high - third >> 8)
    }

    /// The smallest aligned range of 2^i labels with at most 2^(i/2) elements, found by looking at
    /// every label.
    private func spread(_ labels: [Int], room: Int, at position: Int) -> [Int] {
        for bits in 2...62 {
            let start = (labels[position - 1] >> bits) << bits
            let window = start..<(start + (1 << bits))
            let members = labels.filter(window.contains)
            guard members.count + room <= 1 << (bits / 2) || bits == 62 else { continue }
            let step = window.count / (members.count + room + 1)
            let inside = (1...(members.count + room)).map { start + $0 * step }
            return labels.filter { $0 < start } + inside + labels.filter { $0 >= window.upperBound }
        }
        return []
    }

    @Test func theSmallestRangeThatIsNotTooFullIsSpreadEvenly() {
        for start in [0, 1, 3, 6, 1000] {
            for count in 2...18 {
                for room in [1, 2, 5, 40] {
                    for position in 1..<count {
                        let labels = Array(start..<(start + count))
                        var model = LabelModel(labels)
                        model.insert(room, at: position)
                        let found = model.sequence.map(\.label)
                        guard found != spread(labels, room: room, at: position) else { continue }
                        Issue.record("\(room) at \(position) of \(labels): \(found)")
                        return
                    }
                }
            }
        }
    }

    /// Nobody puts in so many; what is asked for is still within the universe.
    @Test func halfOfAllLabelsFitBetweenNeighbours() {
        let count = 1 << 61
        var transaction = LabelModel([0, 1]).sequence.transaction()
        let labels = transaction.labels(forInserting: count, at: 1) { element, label in
            Labelled(id: element.id, label: label)
        }
        let beside = transaction.commit().map(\.label)
        #expect(labels.step > 0 && beside.allSatisfy(OrderLabels.universe.contains))
        #expect(beside[0] < labels[0] && labels[count - 1] < beside[1])
    }
}
