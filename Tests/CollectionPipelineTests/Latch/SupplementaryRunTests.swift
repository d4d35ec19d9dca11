import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// The supplementary elements that stay, are removed and are inserted: of each kind, the first ones
/// stay, up to the smaller count, and none of a reloaded kind.
@Suite("Runs of supplementary elements", .endsHangs)
struct SupplementaryRunTests {
    private static let kinds: [SupplementaryKind] = [.footer, .header]

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

    /// Tries every number of footers and headers before and after, named or not, with or without a
    /// reload.
    @Test func firstSupplementariesStayAndTheRestIsNew() async throws {
        let counts: [Int?] = [nil, 0, 1, 3]
        let pairs = counts.flatMap { footers in counts.map { [footers, $0] } }
        var configuration = PipelineConfiguration()
        configuration.backlogLimit = .max
        let source = KindSource([[nil, nil], [1, 2]])
        let controller = DataController(dataSource: source, configuration: configuration)
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

    /// An element that a later set removes before it is measured is skipped; the others are not.
    /// The first ones are as near as the item at which the worker is held.
    @Test(.holdsWorker, arguments: Substrate.threaded)
    func onlySupplementariesRemovedBeforeMeasuringAreSkipped(
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
}

/// Sections of one item, with footers and headers; `nil` if the kind is not named.
private final class KindSource: CollectionDataSource {
    var counts: [[Int?]]
    private let nodes = NodeBook()

    init(_ counts: [[Int?]]) { self.counts = counts }

    func numberOfSections() -> Int { counts.count }
    func numberOfItems(inSection section: Int) -> Int { 1 }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [nodes] in try nodes.makeNode("item") }
    }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] {
        [SupplementaryKind.header, .footer].filter { count($0, section) != nil }
    }

    func numberOfSupplementaries(ofKind kind: SupplementaryKind, inSection section: Int) -> Int {
        count(kind, section) ?? 0
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
