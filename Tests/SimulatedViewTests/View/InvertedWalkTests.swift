import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Random walks of an inverted view", .endsHangs)
struct InvertedWalkTests {
    /// What a view says of itself, but for what a reader sees.
    private struct Story: Equatable {
        let events: [String]
        let bounds: Rect
        let contentSize: Size
        let attributes: [LayoutAttributes?]
        let selected: [ItemPath]
        let errors: Int

        init(_ bench: Bench<CollectionLayout>) {
            let view = bench.view
            events = bench.log
            (bounds, contentSize) = (view.bounds, view.contentSize)
            attributes = view.visibleViews.map(\.attributes)
            (selected, errors) = (view.indexPathsForSelectedItems, view.errorCount)
        }
    }

    @Test(arguments: 1...Effort.number(40, usually: 8) as ClosedRange<UInt64>)
    func whatHappensIsTheSame(_ seed: UInt64) throws {
        var plain = try RandomWalk(seed: seed, logCapacity: 10_000)
        var inverted = try RandomWalk(seed: seed, logCapacity: 10_000)
        for step in 0..<40 {
            inverted.bench.view.isInverted = step % 3 != 2
            for walk in [plain, inverted] { walk.bench.view.clearEventLog() }
            let mistakes = (try plain.step(), try inverted.step())
            guard mistakes == ([], []), Story(plain.bench) == Story(inverted.bench) else {
                Issue.record("seed \(seed), step \(step), after \(plain.story.last ?? "")")
                return
            }
        }
    }

    /// What is visible of each view is touched in its middle, if nothing lies over it there, as a scan of
    /// mirrored frames says.
    @Test(arguments: 1...Effort.number(40, usually: 8) as ClosedRange<UInt64>)
    func whatIsSeenIsTouched(_ seed: UInt64) throws {
        var walk = try RandomWalk(seed: seed)
        var toss = SeededGenerator(seed: ~seed)
        for step in 0..<40 {
            walk.bench.view.isInverted = toss.isTrue(oneIn: 2)
            _ = try walk.step()
            let misses = Self.misses(walk.bench.view)
            guard misses.isEmpty else {
                let story = walk.story.suffix(4).joined(separator: "; ")
                Issue.record("seed \(seed), step \(step), after \(story): \(misses)")
                return
            }
        }
    }

    private static func misses(_ view: SimulatedCollectionView) -> [String] {
        let whole = Rect(origin: .zero, size: view.size)
        let views = view.visibleViews.map { ($0, seen($0.frame, view)) }
        return views.compactMap { shown, frame in
            let (x, y) = (max(frame.minX, 0), max(frame.minY, 0))
            let middle = Point(
                x: (x + min(frame.maxX, whole.maxX)) / 2,
                y: (y + min(frame.maxY, whole.maxY)) / 2
            )
            // Nothing is within what has no extent.
            guard frame.contains(middle), whole.contains(middle) else { return nil }
            let front = views.filter { $0.1.contains(middle) }.max { left, right in
                rank(left.0).lexicographicallyPrecedes(rank(right.0))
            }
            guard view.hitTest(middle) !== front?.0 else { return nil }
            return "\(shown.frame), seen at \(frame)"
        }
    }

    private static func seen(_ frame: Rect, _ view: SimulatedCollectionView) -> Rect {
        let bounds = view.bounds
        var seen = frame.offsetBy(dx: -bounds.minX, dy: -bounds.minY)
        guard view.isInverted else { return seen }
        switch view.collectionViewLayout.scrollDirection {
        case .vertical: seen.origin.y = bounds.maxY - frame.maxY
        case .horizontal: seen.origin.x = bounds.maxX - frame.maxX
        }
        return seen
    }

    /// By z-index, then by path, then decorations, cells, headers and footers.
    private static func rank(_ view: CollectionReusableView) -> [Int] {
        guard let attributes = view.attributes else { return [] }
        let kinds: [ElementCategory] = [.cell, .supplementary(.header), .supplementary(.footer)]
        let kind = kinds.firstIndex(of: attributes.place.category) ?? -1
        return [attributes.zIndex, attributes.indexPath.section, attributes.indexPath.item, kind]
    }
}
