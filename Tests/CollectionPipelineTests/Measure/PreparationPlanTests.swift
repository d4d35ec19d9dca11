import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import CollectionPipeline

/// The order of work compared with its definition: the elements nearest to the start first, those
/// ahead before those behind at the same distance, and sections by distance.
@Suite("Order of preparation")
struct PreparationPlanTests {
    /// The elements to prepare: the number of items of each new section, and the paths of single
    /// items.
    struct Shape: Sendable, CustomTestStringConvertible {
        var inserted: [Int: Int] = [:]
        var singles: [ItemPath] = []
        var testDescription: String { "\(inserted.sorted { $0.key < $1.key }), \(singles)" }
    }

    /// The position of an item in the order; equal ranks may come in any order.
    private struct Rank: Comparable {
        let sections: Int
        let items: Int
        let isBehind: Bool
        /// In another section: the distance from the edge that faces the start.
        let depth: Int

        init(_ path: ItemPath, from start: ItemPath) {
            sections = abs(path.section - start.section)
            items = sections == 0 ? abs(path.item - start.item) : 0
            isBehind = path < start
            depth = sections == 0 ? 0 : isBehind ? -path.item : path.item
        }

        static func < (left: Rank, right: Rank) -> Bool {
            (left.sections, left.items, left.isBehind ? 1 : 0, left.depth)
                < (right.sections, right.items, right.isBehind ? 1 : 0, right.depth)
        }
    }

    private let elementEnvironment = ElementEnvironment(Traits())

    private func element(_ path: ItemPath) -> CollectionElement {
        ProvidedElement(
            model: path,
            provider: nil,
            configuration: ElementConfiguration(
                sizeRange: .unconstrained,
                elementEnvironment: elementEnvironment
            )
        )
    }

    private func work(_ shape: Shape, start: ItemPath) -> PreparationWork {
        var work = PreparationWork()
        work.start = start
        for (section, count) in shape.inserted.sorted(by: { $0.key < $1.key }) {
            let elements = (0..<count).map { element(ItemPath(section, $0)) }
            let inserted = ElementMapChange.InsertedSection(
                section: CollectionSection(id: section, sectionContext: nil),
                elements: elements
            )
            work.sections.append((section, inserted))
        }
        work.singles = shape.singles.map { ($0, element($0).firstContent) }
        return work
    }

    /// Returns the paths of each part, in the order in which workers visit them.
    private func parts(_ plan: PreparationPlan) -> [[ItemPath]] {
        plan.parts.indices.map { part in
            var paths: [ItemPath] = []
            plan.forEach(inPart: part) { paths.append($0.model as? ItemPath ?? ItemPath(-1, -1)) }
            return paths
        }
    }

    private func fault(_ shape: Shape, _ start: ItemPath, grain: Int) -> String? {
        let work = work(shape, start: start)
        let parts = parts(PreparationPlan(work, grain: grain))
        let visited = parts.flatMap { $0 }
        let expected =
            shape.singles
            + shape.inserted.flatMap { section, count in (0..<count).map { ItemPath(section, $0) } }
        if work.count != expected.count { return "counts \(work.count)" }
        if visited.sorted() != expected.sorted() { return "visits \(visited)" }
        if parts.contains(where: { $0.isEmpty || $0.count > grain }) { return "parts \(parts)" }
        // Each section is split at the start, and the singles are split separately.
        let most = (expected.count + grain - 1) / grain + 2 * shape.inserted.count + 1
        if parts.count > most { return "\(parts.count) parts" }
        func isOrdered(_ paths: [ItemPath]) -> Bool {
            let ranks = paths.map { Rank($0, from: start) }
            return zip(ranks, ranks.dropFirst()).allSatisfy { !($1 < $0) }
        }
        if !parts.allSatisfy(isOrdered) { return "within parts \(parts)" }
        if !isOrdered(parts.map { $0[0] }) { return "parts \(parts)" }
        return grain > 1 || isOrdered(visited) ? nil : "\(visited)"
    }

    private func check(_ shape: Shape) {
        for section in 0..<3 {
            for item in 0...4 {
                for grain in [1, 2, 64] {
                    let start = ItemPath(section, item)
                    if let fault = fault(shape, start, grain: grain) {
                        Issue.record("\(shape) from \(start), grain \(grain): \(fault)")
                        return
                    }
                }
            }
        }
    }

    @Test func newSectionsArePreparedInOrder() {
        for first in 0...4 {
            for second in 0...4 {
                for third in 0...4 {
                    check(Shape(inserted: [0: first, 1: second, 2: third]))
                }
                check(Shape(inserted: [0: first, 2: second]))
            }
        }
    }

    @Test func singleItemsArePreparedInOrder() {
        let places = (0..<3).flatMap { section in (0..<3).map { ItemPath(section, $0) } }
        for subset in 0..<1 << places.count {
            check(
                Shape(singles: places.indices.filter { subset >> $0 & 1 == 1 }.map { places[$0] })
            )
        }
    }

    // MARK: Postponing

    /// Returns a content with a new node, which must be prepared before it is shown.
    private func urgent(_ path: ItemPath) -> ElementContent {
        ElementContent(
            revising: element(path),
            model: path,
            sizeRange: .unconstrained,
            provider: { throw ElementError.modelOnly }
        )
    }

    @Test func splitsKeepTheOrder() {
        let shape = Shape(inserted: [0: 5, 1: 7, 2: 3])
        for grain in [1, 3, 64] {
            for start in [ItemPath(0, 0), ItemPath(1, 3), ItemPath(2, 3)] {
                let plan = PreparationPlan(work(shape, start: start), grain: grain)
                let whole = parts(plan).flatMap { $0 }
                for limit in 0...15 {
                    let (now, later) = plan.split(after: limit)
                    #expect(parts(now).flatMap { $0 } == Array(whole.prefix(limit)))
                    let rest = later.map { parts($0).flatMap { $0 } } ?? []
                    #expect(rest == Array(whole.dropFirst(limit)))
                    #expect(later == nil ? limit == 15 : limit < 15)
                }
                let (all, none) = plan.split(after: nil)
                #expect(parts(all) == parts(plan) && none == nil)
            }
        }
    }

    /// The number of other elements in the first part does not change.
    @Test(arguments: [true, false])
    func urgentAndRequestedElementsAreNotPostponed(_ isRequested: Bool) {
        for subset in 0..<(1 << 6) {
            let paths = (0..<6).map { ItemPath(0, $0) }
            let isUrgent = { (path: ItemPath) in subset >> path.item & 1 == 1 }
            for grain in [1, 4] {
                for limit in 0...6 {
                    var work = PreparationWork()
                    work.singles = paths.map {
                        ($0, isUrgent($0) && !isRequested ? urgent($0) : element($0).firstContent)
                    }
                    if isRequested {
                        work.requested = Set(
                            work.singles.filter { isUrgent($0.path) }.map { $0.content }
                        )
                    }
                    let others = paths.filter { !isUrgent($0) }
                    let (now, later) = PreparationPlan(work, grain: grain).split(after: limit)
                    let found = parts(now).flatMap { $0 }
                    #expect(
                        found == paths.filter { isUrgent($0) || others.prefix(limit).contains($0) }
                    )
                    let rest = later.map { parts($0).flatMap { $0 } } ?? []
                    #expect(rest == Array(others.dropFirst(limit)))
                    work.limit = limit
                    #expect(work.count == found.count)
                }
            }
        }
    }
}

/// Preparation begins at the first visible path, or at the nearest valid one.
@Suite("Start of preparation", .endsHangs)
struct VisiblePathTests {
    private static let sections: [TextDataSource.Section] = [
        ["0 0", "0 1"], ["1 0", "1 1", "1 2"], ["2 0"],
    ]
    private static let answers = [Int.min, -1, 0, 1, 2, 3, Int.max]

    /// Returns the text at a path or at the nearest valid one.
    private func nearest(_ section: Int, _ item: Int) -> String {
        let section = min(max(section, 0), 2)
        let count = Self.sections[section].items.count
        return Self.sections[section].items[min(max(item, 0), count - 1)]
    }

    // In a simulation the parts run in any order.
    @Test(arguments: Substrate.threaded)
    func preparationStartsNearestToAnyViewPath(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, Self.sections, workerCount: 1)
        for section in Self.answers {
            for item in Self.answers {
                await scene.onMain { _ in scene.view.firstVisiblePath = ItemPath(section, item) }
                scene.nodes.made.removeAll()
                try await scene.controller.reloadData()
                let made = scene.nodes.made.values.map(\.text)
                #expect(made.first == nearest(section, item), "\(section) - \(item)")
                #expect(Set(made) == Set(Self.sections.flatMap(\.items)))
            }
        }
        await scene.close()
    }

    /// The view's path refers to its old map; the work is ordered around the new place.
    @Test(arguments: Substrate.threaded)
    func viewPathsAreConvertedToTheNewMap(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b", "c"]], workerCount: 1)
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.firstVisiblePath = ItemPath(0, 1) }
        scene.nodes.made.removeAll()
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items = ["n0", "n1", "n2", "a", "b", "n5", "c"]
            changes.insertItems(at: [0, 1, 2, 5].map { ItemPath(0, $0) })
        }
        #expect(scene.nodes.made.values.map(\.text) == ["n5", "n2", "n1", "n0"])
        await scene.close()
    }

    /// Reports a number of workers, and records the number of parts of each fork.
    private struct CuttingEnvironment: ForwardingEnvironment {
        let base: any PipelineEnvironment = DispatchEnvironment(workerCount: 1)
        let workerCount: Int
        let forks = Journal<Int>()

        func fork(
            parts: Int,
            joinOn lane: any Lane,
            body: @escaping @Sendable (Int) -> Void,
            join: @escaping @Sendable () -> Void
        ) {
            forks.append(parts)
            base.fork(parts: parts, joinOn: lane, body: body, join: join)
        }
    }

    /// Enough parts for workers to balance, but large enough that taking one costs little.
    @Test(arguments: [
        (items: 1, workers: 1, parts: 1), (7, 1, 7), (8, 1, 8), (16, 1, 8), (520, 1, 9),
        (64, 4, 32), (32, 4, 32), (31, 4, 31), (5, 0, 5), (24, 0, 8),
    ])
    func updatesAreSplitIntoEightPartsPerWorkerOfAtMost64Elements(
        _ size: (items: Int, workers: Int, parts: Int)
    ) async throws {
        let environment = CuttingEnvironment(workerCount: size.workers)
        let controller = DataController(
            dataSource: TextDataSource([.init((0..<size.items).map { "\($0)" })]),
            environment: environment
        )
        try await controller.reloadData()
        #expect(environment.forks.values == [size.parts])
        await controller.close()
    }
}
