import Testing

@testable import CollectionLayouts

@Suite("What stretches of items and lines are summed up to")
struct LineSummaryTests {
    private let sizes = [
        Size(width: 1, height: 2), Size(width: 1, height: 3), Size(width: 4, height: 2), .zero,
    ]

    private func sequences(_ length: Int) -> [[Size]] {
        length == 0
            ? [[]] : sequences(length - 1).flatMap { start in sizes.map { start + [$0] } }
    }

    /// However they are grouped, and with nothing put anywhere in between.
    @Test func aStretchHasASizeWhereAllItsItemsHaveIt() {
        for sequence in (0...4).flatMap(sequences) {
            let first = sequence.first
            let expected = sequence.allSatisfy { $0 == first } ? first : nil
            for cut in 0...sequence.count {
                let parts = [sequence[..<cut], [], sequence[cut...], []].map { part in
                    part.reduce(ItemSizeSummary.zero) { sum, size in
                        sum.combined(with: ItemSizeSummary(of: ItemSize(size: size)))
                    }
                }
                let whole = parts.reduce(ItemSizeSummary.zero) { $0.combined(with: $1) }
                #expect(whole.uniformSize == expected, "\(sequence), cut at \(cut)")
                let backwards = parts.reversed().reduce(ItemSizeSummary.zero) {
                    $1.combined(with: $0)
                }
                #expect(backwards.uniformSize == expected, "\(sequence), cut at \(cut)")
            }
        }
    }

    @Test func aSizeIsNotOneThatAViewAskedForUnlessSaid() {
        #expect(!ItemSize(size: .zero).isPreferred)
    }

    @Test func linesAreCountedAndTheirExtentsAdded() {
        let lines = [(2, 10.0), (1, 5), (3, 0)].map { FlowLine(count: $0, extent: $1, fill: 0) }
        #expect(FlowLineSummary.zero.itemCount == 0 && FlowLineSummary.zero.extent == 0)
        let sum = lines.reduce(FlowLineSummary.zero) { $0.combined(with: FlowLineSummary(of: $1)) }
        #expect(sum.itemCount == 6 && sum.extent == 15)
    }

    /// What else differs changes where lines are, not which items are on them.
    @Test func linesAreBrokenAlikeUnderTheSameRoomSpacingAndDirection() {
        func rules(
            _ dimension: Double,
            _ direction: ScrollDirection,
            _ interitem: Double,
            _ side: Double
        ) -> FlowRules {
            FlowRules(
                environment: FlowEnvironment(ofSectionAlong: direction, dimension: dimension),
                metrics: FlowResolvedMetrics(
                    inset: EdgeInsets(top: side, left: side),
                    interitemSpacing: interitem,
                    lineSpacing: side
                )
            )
        }
        var all: [(key: [Double], rules: FlowRules)] = []
        for dimension in [100.0, 105] {
            for direction in ScrollDirection.allCases {
                for interitem in [0.0, 5] {
                    for side in [0.0, 5] {
                        let key = [
                            dimension - side, direction == .vertical ? 0 : 1, interitem,
                        ]
                        all.append((key, rules(dimension, direction, interitem, side)))
                    }
                }
            }
        }
        for (key, rules) in all {
            #expect(rules.available == key[0])
            for (otherKey, other) in all {
                #expect(rules.breaksLines(as: other) == (key == otherKey))
            }
        }
    }

    @Test func theMeanOfPreferredSizesIsNoneWhereItIsNoSize() {
        var mean = PreferredSizeMean()
        #expect(mean.mean == nil)
        mean.add(Size(width: 8, height: 1))
        #expect(mean.mean == Size(width: 8, height: 1))
        mean.add(Size(width: 2, height: 4))
        #expect(mean.mean == Size(width: 5, height: 2.5))
        mean.add(Size(width: .greatestFiniteMagnitude, height: 0))
        mean.add(Size(width: .greatestFiniteMagnitude, height: 0))
        #expect(mean.mean == nil)
    }

    @Test func nothingIsCountedBeforeAnythingIsDone() {
        let work = FlowLayout().work
        #expect([work.askedSizes, work.brokenLines, work.laidOutSections] == [0, 0, 0])
        #expect(work.visitedItems == 0 && ListLayout().work.askedSizes == 0)
    }
}
