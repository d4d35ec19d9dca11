import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// Every short sequence of what a hub's ledger can be told.
struct HubLedgerTests {
    enum Input: CaseIterable {
        case insert
        case change
        case removeFirst
        case announce
        case close
        case tellFirst
        case tellSecond
        /// The first reader leaves, and comes back with what it has.
        case comeBack
        case beat
    }

    /// A ledger, two readers, and what there was at each version.
    struct Run: MachineRun {
        var ledger: HubLedger
        var readers: [(progress: ReaderProgress, replica: CollectionReplica)]
        var texts: [String] = []
        var version = 0
        var shown: [Int: [String]] = [0: []]
        var fault: String?

        init(_ configuration: HubConfiguration, _ policy: ReaderPolicy) {
            ledger = HubLedger(configuration)
            readers = (0..<2).map { _ in (ReaderProgress(policy: policy), CollectionReplica()) }
            let load = HierarchyChangeSet([.insertSections([0], .automatic)])
            publish(load, from: [], to: [0])
            ledger.announce()
        }

        private mutating func publish(
            _ changes: HierarchyChangeSet,
            from old: HierarchyShape,
            to new: HierarchyShape
        ) {
            version += 1
            shown[version] = texts
            do {
                let update = try changes.validated(from: old, to: new)
                ledger.publish(
                    RenderedUpdate(
                        update,
                        to: version,
                        item: { [texts] in
                            PublishedPayload(texts[$0.item])
                        }
                    )
                )
            } catch {
                fault = "\(error)"
            }
        }

        private mutating func edit(_ changes: HierarchyChangeSet, _ body: (inout [String]) -> Void)
        {
            let count = texts.count
            body(&texts)
            publish(changes, from: [count], to: [texts.count])
        }

        mutating func take(_ input: Input) -> Bool {
            let first = [ItemPath(0, 0)]
            switch input {
            case .insert where !ledger.isClosed:
                edit(HierarchyChangeSet([.insertItems(first, .automatic)])) { [version] in
                    $0.insert("new \(version)", at: 0)
                }
            case .change where !ledger.isClosed && !texts.isEmpty:
                edit(HierarchyChangeSet([.reconfigureItems(first, .automatic)])) { [version] in
                    $0[0] = "changed \(version)"
                }
            case .removeFirst where !ledger.isClosed && !texts.isEmpty:
                edit(HierarchyChangeSet([.deleteItems(first, .automatic)])) { $0.removeFirst() }
            case .announce: ledger.announce()
            case .close where !ledger.isClosed: ledger.close()
            case .tellFirst: tell(0)
            case .tellSecond: tell(1)
            case .comeBack where readers[0].progress.position != .ended:
                ledger.leave(&readers[0].progress)
                readers[0].progress = ReaderProgress(joiningFrom: readers[0].replica.version)
            case .beat: ledger.beat(for: &readers[1].progress)
            default: return false
            }
            check()
            return true
        }

        private mutating func tell(_ index: Int) {
            let hadEnded = readers[index].progress.position == .ended
            guard let message = ledger.next(for: &readers[index].progress) else {
                let reader = readers[index]
                if !hadEnded, reader.replica.version != ledger.announced.version {
                    fault =
                        "reader \(index) is told nothing at \(String(describing: reader.replica.version))"
                }
                if !hadEnded, ledger.isClosed { fault = "reader \(index) is not told of the close" }
                return
            }
            if hadEnded { fault = "reader \(index) is told more at its end" }
            do throws(ReplicaError) {
                try readers[index].replica.apply(message)
            } catch {
                fault = "reader \(index): \(error)"
            }
        }

        private mutating func check() {
            for (index, reader) in readers.enumerated() {
                guard let number = reader.replica.version?.number else { continue }
                let texts = reader.replica.state.texts.joined().map { $0 ?? "-" }
                if texts != shown[number] { fault = "reader \(index) has \(texts) at \(number)" }
            }
            let most = 1 + ledger.configuration.resumableUpdates + readers.count
            if ledger.knownVersions > most { fault = "\(ledger.knownVersions) versions are known" }
        }
    }

    @Test(arguments: [0, 1, 3], [ReaderPolicy.merged, .individually(limit: 2)])
    func everySequenceLeavesReadersWithWhatThereWas(_ resumable: Int, _ policy: ReaderPolicy) {
        for retained in [0, 1, 5] {
            var configuration = HubConfiguration()
            configuration.resumableUpdates = resumable
            configuration.retainedVersions = retained
            configuration.recentUpdates = 2
            configuration.digestInterval = 1
            let length = Effort.number(5, usually: 4)
            let (fault, count) = walk(Run(configuration, policy), length: length)
            #expect(fault == nil)
            #expect(count > 1_000)
        }
    }
}
