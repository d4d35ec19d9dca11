import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Which supplementary elements stay, come and go, against their definition: of each kind the first ones
/// stay, as many as there were and are, and none of a kind that is reloaded.
@Suite("Runs of supplementary elements", .endsHangs)
struct SupplementaryRunTests {
    private static let kinds: [SupplementaryKind] = [.footer, .header]

    private func stage(_ sections: [[Int?]], limit: Int? = nil) -> DataController<KindSource> {
        var configuration = PipelineConfiguration()
        configuration.backlogLimit = .max
        if let limit { configuration.limits.items = limit }
        return DataController(dataSource: KindSource(sections), configuration: configuration)
    }

    /// The elements of each kind in a section of the newest map.
    private func runs(
        _ controller: DataController<KindSource>,
        _ section: Int
    ) -> [[CollectionElement]] {
        let map = controller.pendingMap
        return Self.kinds.map { kind in
            (0..<map.numberOfSupplementaries(ofKind: kind, inSection: section)).compactMap {
                map.supplementary(ofKind: kind, at: ItemPath(section, $0))
            }
        }
    }

    /// Every number of footers and headers before and after, named or not, with either reloaded or none.
    @Test func theFirstOnesStayAndTheRestIsFresh() async throws {
        let counts: [Int?] = [nil, 0, 1, 3]
        let pairs = counts.flatMap { footers in counts.map { [footers, $0] } }
        let controller = stage([[nil, nil], [1, 2]])
        let faults = try await onMain(controller) { controller in
            var faults: [String] = []
            let source = controller.assumeIsolated().dataSource
            for before in pairs {
                for after in pairs {
                    for reloaded in [nil] + Self.kinds {
                        source.counts[0] = before
                        try controller.assumeIsolated().reloadData(completion: nil)
                        let (old, other) = (self.runs(controller, 0), self.runs(controller, 1))
                        source.counts[0] = after
                        try controller.assumeIsolated().performBatchUpdates(
                            { _, changes in
                                if let reloaded {
                                    changes.reloadSupplementaries(ofKind: reloaded, in: [0])
                                } else {
                                    changes.reloadItems(at: [ItemPath(0, 0)])
                                }
                            },
                            completion: nil
                        )
                        let new = self.runs(controller, 0)
                        let isRight = Self.kinds.indices.allSatisfy { kind in
                            let count = after[kind] ?? 0
                            let kept =
                                Self.kinds[kind] == reloaded ? 0 : min(count, old[kind].count)
                            return new[kind].count == count
                                && new[kind][..<kept] == old[kind][..<kept]
                                && Set(new[kind][kept...]).isDisjoint(with: old[kind])
                        }
                        let map = controller.pendingMap
                        let present = map.supplementaries(inSection: 0).map(\.kind)
                        let isListed =
                            present
                            == zip(Self.kinds, after)
                            .filter { ($0.1 ?? 0) > 0 }.map { $0.0 }
                        if !isRight || !isListed || self.runs(controller, 1) != other {
                            faults.append("\(before) to \(after), \(reloaded?.rawValue ?? "none")")
                        }
                    }
                }
            }
            return faults
        }
        #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(3))")
        await controller.close(draining: false)
    }

    /// A reload that finds nothing to replace shares all that there is with the map before it.
    @Test func whereNothingChangesTheMapStaysTheSame() async throws {
        for reloaded in Self.kinds {
            for counts in [[nil, nil], [nil, 2], [2, nil], [0, 0], [0, 3]] as [[Int?]] {
                let controller = stage([counts])
                try await controller.reloadData()
                let before = controller.pendingMap
                try await onMain(controller) { controller in
                    try controller.assumeIsolated().reloadSupplementaries(ofKind: reloaded, in: [0])
                }
                let after = controller.pendingMap
                let index = reloaded == .footer ? 0 : 1
                let isUntouched = (counts[index] ?? 0) == 0
                #expect(after.generation == before.generation + 1)
                #expect(after.isIdentical(to: before) == isUntouched, "\(reloaded), \(counts)")
                await controller.close()
            }
        }
    }

    @Test func onlySectionsWithEditsAreAskedAndOnlyThoseWithContentAreCountedAgain() async throws {
        let controller = stage([[nil, nil], [1, nil], [nil, 1]])
        try await controller.reloadData()
        let asked = try await onMain(controller) { controller in
            let source = controller.assumeIsolated().dataSource
            source.asked = []
            try controller.assumeIsolated().reloadSupplementaries(ofKind: .header, in: [0])
            let first = source.asked
            source.asked = []
            try controller.assumeIsolated().reloadSupplementaries(ofKind: .header, in: [1])
            let second = source.asked
            source.asked = []
            source.counts.swapAt(0, 1)
            try controller.assumeIsolated().moveSection(0, toSection: 1)
            return [first, second, source.asked]
        }
        let counts = ["sections", "items 0", "items 1", "items 2"]
        #expect(
            asked == [
                counts + ["kinds 0"], counts + ["kinds 1", "footer 1", "sections", "items 1"],
                counts,
            ]
        )
        await controller.close()
    }

    /// All that a data source says there are count together, of every kind and section that is asked.
    @Test func asManyAsTheLimitAreTakenInAndOneMoreIsNot() async throws {
        for counts in [[[4, 0]], [[0, 4]], [[2, 2]], [[1, 1], [1, 1]], [[4, nil], [0, 0]]]
            as [[[Int?]]]
        {
            let controller = stage(counts, limit: 4)
            try await controller.reloadData()
            #expect(controller.pendingMap.numberOfElements == 4 + counts.count)
            let section = counts.count - 1
            let count = (counts[section][1] ?? 0) + 1
            await onMain(controller) { $0.assumeIsolated().dataSource.counts[section][1] = count }
            let error = await #expect(throws: UpdateError.self) {
                try await controller.reloadData()
            }
            #expect(error?.code == .invalidUpdate)
            #expect(error?.hierarchyError?.code == .tooManyItems)
            #expect(error?.hierarchyError?.section == section)
            #expect(
                error?.message
                    == "The number of supplementary elements of kind 'header' in section \(section)"
                    + " must be at most 4 together with those asked for before, but the"
                    + " data source has \(count)"
            )
            await controller.close()
        }
    }

    @Test func aNegativeNumberIsRefusedByItsValue() async throws {
        let controller = stage([[0, 0], [0, -1]])
        let error = await #expect(throws: UpdateError.self) { try await controller.reloadData() }
        #expect(error?.hierarchyError?.section == 1)
        #expect(
            error?.message
                == "The number of supplementary elements of kind 'header' in section 1"
                + " must not be negative, but the data source answered -1"
        )
        await controller.close()
    }

    /// What waits for a worker while a later set removes it is skipped; what stays is not. The first ones
    /// are as near as the item at which the worker is held.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func thoseThatGoBeforeTheyAreMeasuredAreSkippedAndTheOthersAreNot(
        _ substrate: Substrate
    ) async throws {
        let gate = Gate()
        defer { gate.open() }
        let scene = Scene(
            substrate,
            [
                .init(
                    ["first"],
                    headers: ["head 0", "head 1", "head 2"],
                    footers: ["foot 0", "foot 1"]
                )
            ],
            workerCount: 1
        )
        scene.nodes.onMake { if $0 == "first" { gate.pass() } }
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await gate.reached()
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].headers = ["head 0", "head 1"]
            controller.assumeIsolated().dataSource.sections[0].footers = []
            try controller.assumeIsolated().reloadItems(at: [ItemPath(0, 0)])
        }
        gate.open()
        await scene.settle()
        let made = Set(scene.nodes.made.values.map(\.text))
        #expect(made.isSuperset(of: ["head 0", "head 1"]))
        #expect(made.isDisjoint(with: ["head 2", "foot 1"]))
        for item in 0..<2 {
            let path = ItemPath(0, item)
            let header = scene.controller.visibleMap.supplementary(ofKind: .header, at: path)
            #expect(header?.state.text == "measured")
        }
        await scene.close()
    }

    @Test func thereIsOneOfAKindWhereADataSourceDoesNotSay() {
        final class Least: CollectionDataSource {
            func numberOfItems(inSection section: Int) -> Int { 0 }
            func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
                { throw TestFailure() }
            }
        }
        #expect(Least().numberOfSupplementaries(ofKind: .header, inSection: 0) == 1)
    }
}

/// Sections of one item, with footers and headers: nil where the kind is not even named.
private final class KindSource: CollectionDataSource {
    var counts: [[Int?]]
    var asked: [String] = []
    private let nodes = NodeBook()

    init(_ counts: [[Int?]]) { self.counts = counts }

    func numberOfSections() -> Int {
        asked.append("sections")
        return counts.count
    }

    func numberOfItems(inSection section: Int) -> Int {
        asked.append("items \(section)")
        return 1
    }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [nodes] in try nodes.makeNode("item") }
    }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] {
        asked.append("kinds \(section)")
        return [SupplementaryKind.header, .footer].filter { count($0, section) != nil }
    }

    func numberOfSupplementaries(ofKind kind: SupplementaryKind, inSection section: Int) -> Int {
        asked.append("\(kind) \(section)")
        return count(kind, section) ?? 0
    }

    func supplementaryNodeProvider(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> NodeProvider
    {
        { [nodes] in try nodes.makeNode("supplementary") }
    }

    private func count(_ kind: SupplementaryKind, _ section: Int) -> Int? {
        counts[section][kind == .footer ? 0 : 1]
    }
}
