import TestSupport
import Testing

@testable import CollectionChanges

/// Long lists are sorted by bytes; whatever order they come in, the result is that of a stable sort.
@Suite struct PathOrderTests {
    private static let extremes = [Int.min, -(1 << 40), -256, -1, 0, 1, 255, 256, 1 << 40, .max]

    @Test(arguments: [0, 1, 2, 63, 64, 65, 66, 200])
    func recordsAreSortedByPathAndOtherwiseKeepTheirOrder(count: Int) {
        var generator = SeededNumbers(seed: UInt64(count))
        func number(_ extremes: Bool) -> Int {
            let few = Int.random(in: 0..<4, using: &generator)
            return extremes ? Self.extremes.randomElement(using: &generator) ?? few : few
        }
        let ascending = (0..<count).map { path($0 / 7, $0) }
        var lists: [[ItemPath]] = [
            ascending, Array(ascending.reversed()), Array(repeating: path(3, 3), count: count),
            // A single one out of order, at either end.
            Array(ascending.dropFirst() + ascending.prefix(1)),
            Array(ascending.suffix(1) + ascending.dropLast()),
            Array(ascending.prefix(1) + ascending.dropFirst().reversed()),
        ]
        for isExtreme in [false, true] {
            lists.append(
                (0..<count).map { _ in ItemPath(section: number(isExtreme), item: number(false)) }
            )
            lists.append(
                (0..<count).map { _ in ItemPath(section: number(false), item: number(isExtreme)) }
            )
        }
        for paths in lists {
            var records = paths.enumerated().map { index, path in
                RecordedEdits.ItemRecord(path: path, operation: Int32(index), animation: .none)
            }
            records.sortByPath()
            let expected = paths.indices.sorted { (paths[$0], $0) < (paths[$1], $1) }
            #expect(records.map(\.path) == expected.map { paths[$0] })
            #expect(records.map { Int($0.operation) } == expected)
        }
    }

    @Test func pathsOrderBySectionThenByItem() {
        for (left, right) in [(path(0, 9), path(1, 0)), (path(1, 0), path(1, 1))] {
            #expect(left < right && !(right < left))
            #expect(!(left < left))
        }
    }
}
