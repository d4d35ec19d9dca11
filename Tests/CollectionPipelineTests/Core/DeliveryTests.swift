import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Everything that a view can do with its updates: all sequences up to a length, and longer random
/// ones.
@Suite("Delivery")
struct DeliveryTests {
    /// The start of a walk, its length, and the number of updates that fill the view.
    struct Start: Sendable, CustomTestStringConvertible {
        var limit: Int?
        var loads = false
        var inputs: [Run.Input] = []
        let length: Int
        var testDescription: String { "\(inputs), limit \(limit ?? 0), loads \(loads)" }
    }

    @Test(arguments: [
        Start(length: Effort.number(8, usually: 5)),
        // The view has deployed but not finished the first update, and holds two more.
        Start(
            inputs: [
                .accepted, .accepted, .accepted, .handedOver, .handedOver, .handedOver, .deploys,
            ],
            length: Effort.number(5, usually: 4)
        ),
        // The view holds a load and a later update, and may refuse loads.
        Start(
            loads: true,
            inputs: [.accepted, .accepted, .handedOver, .handedOver],
            length: Effort.number(5, usually: 4)
        ),
        // Updates beyond the view's capacity are merged: it holds one or two, and another one
        // collects the rest.
        Start(limit: 1, loads: true, length: Effort.number(7, usually: 5)),
        Start(
            limit: 1,
            inputs: [.accepted, .handedOver, .accepted, .accepted, .accepted],
            length: Effort.number(6, usually: 5)
        ),
        Start(
            limit: 2,
            loads: true,
            inputs: [
                .accepted, .handedOver, .accepted, .handedOver, .accepted, .accepted, .accepted,
            ],
            length: Effort.number(6, usually: 4)
        ),
    ])
    func everySetDeploysAndCompletesOnceInOrder(_ start: Start) {
        var run = Run(mergeLimit: start.limit)
        run.loads = start.loads
        for input in start.inputs {
            let isTaken = run.take(input)
            #expect(isTaken && run.fault == nil, "\(input): \(run.fault ?? "not taken")")
        }
        let walked = walk(run, length: start.length)
        #expect(walked.fault == nil)
        #expect(walked.count > 100)
        #expect(randomWalk(run, seeds: Effort.number(1_000, usually: 40), steps: 40) == nil)
    }
}

extension DeliveryTests {
    struct Item: Deliverable, Equatable {
        let generation: Int
        var id: SubmissionID { SubmissionID(rawValue: generation) }
        var isReload = false
    }

    /// A delivery with its view and a ``PipelineModel``; submission numbers are generations.
    struct Run: MachineRun {
        enum Input: CaseIterable {
            case accepted, handedOver, deploys, rejects, finishesFirst, finishesLast
            case losesFirst, losesLast, hastens, cancelled
        }

        var delivery: Delivery<Item>
        let mergeLimit: Int?
        var model = PipelineModel()
        /// The number of hand-over turns so far, and the generations that were handed over.
        var (turns, handedOver): (Int, Set<Int>) = (0, [])
        /// For each merged generation, the later one that contains it.
        var heads: [Int: Int] = [:]
        /// The updates that the view holds, and those that it has deployed but not finished.
        var (held, showing): ([Int], [Int]) = ([], [])
        /// The generations that became visible, and those whose models reached their nodes, in
        /// order.
        var (visible, models): ([Int], [Int]) = ([], [])
        var completed: [String] = []
        /// Whether the first accepted change set is a load.
        var loads = false
        /// The newest generation with a caller that waits for the hand-over.
        var hastened = 0
        var mistake: String?

        init(mergeLimit: Int? = nil) {
            self.mergeLimit = mergeLimit
            delivery = Delivery(mergeLimit: mergeLimit)
        }

        private var count: Int { model.entries.count }

        mutating func take(_ input: Input) -> Bool {
            let isCancelled = model.isCancelled
            switch input {
            case .accepted:
                guard !isCancelled else { return false }
                accept(isLoad: loads && count == 0)
            case .handedOver:
                guard turns < count, !isCancelled else { return false }
                turns += 1
                handOver(turns)
            case .hastens:
                guard mergeLimit != nil, !isCancelled, delivery.isPreparing else { return false }
                delivery.hasten()
                hastened = count
            case .deploys, .rejects:
                guard !held.isEmpty else { return false }
                let first = held.removeFirst()
                lose([])
                show(first, succeeds: input == .deploys)
            case .finishesFirst, .finishesLast:
                let generation = input == .finishesFirst ? showing.first : showing.last
                guard let generation else { return false }
                showing.removeAll { $0 == generation }
                // A second call has no effect.
                for _ in 0..<2 { complete(delivery.finished(generation)) }
            case .losesFirst, .losesLast:
                let all = showing + held
                guard let generation = input == .losesFirst ? all.first : all.last else {
                    return false
                }
                showing.removeAll { $0 == generation }
                held.removeAll { $0 == generation }
                lose([generation])
            case .cancelled:
                guard !isCancelled else { return false }
                model.cancelled()
                complete(delivery.cancelled())
            }
            while !model.isCancelled, let item = delivery.released() { handOver(item.generation) }
            return true
        }

        private mutating func accept(isLoad: Bool, isRecovery: Bool = false) {
            let (isPreparing, generation) = (delivery.isPreparing, count + 1)
            if delivery.merges, !isRecovery {
                if handedOver.contains(count) { mistake = "merges what is handed over" }
                heads[count] = generation
            }
            let needsReload = delivery.needsReload && !isRecovery
            model.accepted(generation, isLoad: isLoad)
            let isReload = model.entries[generation - 1].isLoad
            if needsReload != (isReload && !isLoad) { mistake = "needs a reload: \(needsReload)" }
            // The change set contains a load.
            let isMergedLoad = heads[generation - 1] != nil && model.entries[generation - 2].isLoad
            if isMergedLoad { model.becomesLoad(generation) }
            let mustQueue = delivery.accepted(
                Item(generation: generation, isReload: isReload || isMergedLoad),
                outcome: needsReload ? .deployedByReload : .deployed
            )
            if mustQueue != isPreparing { mistake = "queues" }
        }

        private mutating func handOver(_ generation: Int) {
            let isReplaced = isReplaced(generation)
            switch delivery.handedOver(generation) {
            case .gone: if heads[generation] == nil, !isReplaced { mistake = "gone" }
            case .held:
                // Lost updates count until their turn.
                let isFull = held.count + delivery.losses.count >= mergeLimit ?? .max
                if !isFull, recovering == nil { mistake = "held" }
                if generation <= hastened { mistake = "held although a caller waits" }
            case .replaced:
                if !isReplaced { mistake = "replaced by nothing" }
                handedOver.insert(generation)
            case .give(let merged):
                if isReplaced { mistake = "given, but replaced" }
                // These were held before the reload that replaces them.
                if recovering == generation { handedOver.formUnion(0..<generation) }
                model.received(generation)
                let parts = model.parts(of: generation).dropLast()
                if merged.map(\.generation) != parts.map(\.generation) { mistake = "with others" }
                handedOver.insert(generation)
                held.append(generation)
            }
        }

        /// The generation of the reload in flight.
        private var recovering: Int? {
            model.entries.compactMap(\.standIn).last { !model.entries[$0 - 1].isShown }
        }

        private func isReplaced(_ generation: Int) -> Bool { model.standIn(generation - 1) != nil }

        private mutating func show(_ generation: Int, succeeds: Bool) {
            switch delivery.deploying(generation) {
            case .outdated:
                if !isReplaced(generation), !model.isCancelled { mistake = "outdated" }
                // The view drops the update.
                lose([generation])
            case .early: mistake = "early"
            case .ready(let item, let others):
                if !delivery.isDeploying || item.generation != generation { mistake = "not ready" }
                noteVisible(item, others)
                if succeeds {
                    model.shown(generation)
                    complete(delivery.deployed(generation))
                    showing.append(generation)
                } else {
                    model.refused(generation)
                    item.isReload ? refuse(generation) : reload(after: generation)
                    model.answered()
                }
                if delivery.isDeploying { mistake = "is deploying" }
                lose([])
            }
        }

        private mutating func noteVisible(_ item: Item, _ others: [Item]) {
            visible.append(item.generation)
            models += (others + [item]).map(\.generation)
        }

        private mutating func reload(after generation: Int) {
            let reload = count + 1
            delivery.rejected(
                generation,
                reload: SubmissionID(rawValue: reload),
                reloadGeneration: reload
            )
            accept(isLoad: true, isRecovery: true)
        }

        private mutating func refuse(_ generation: Int) {
            delivery.refused(generation) { item in
                var error = UpdateError(.viewRefused, "")
                error.submission = item.id
                return .refusedByView(error)
            }
            complete(delivery.deployed(generation))
            showing.append(generation)
            if delivery.backlog > 0 { reload(after: generation) }
        }

        private mutating func lose(_ generations: [Int]) {
            delivery.lost(generations)
            while let (item, isDeployed) = delivery.nextLoss() {
                if !isDeployed, case .ready(_, let others) = delivery.deploying(item.generation) {
                    noteVisible(item, others)
                    model.shown(item.generation)
                    complete(delivery.deployed(item.generation))
                }
                complete(delivery.finished(item.generation))
            }
        }

        private mutating func complete(_ entries: [SubmissionLedger<Item>.Entry]) {
            completed += entries.map { entry in
                let generation = entry.payload.generation
                var text = entry.outcome.text
                if case .refusedByView(let error) = entry.outcome {
                    text = "refused(viewRefused #\(error.submission?.rawValue ?? 0))"
                }
                return "\(generation): \(text)"
            }
        }

        // MARK: Checks

        var fault: String? {
            if let mistake { return mistake }
            let expected = (0..<model.completed(Set(held + showing))).map {
                "\($0 + 1): \(model.outcome($0))"
            }
            if completed != expected { return "completed \(completed)\nnot       \(expected)" }
            if visible != visible.sorted() { return "visible \(visible)" }
            if models != models.sorted() || Set(models).count != models.count {
                return "models \(models)"
            }
            if delivery.isEmpty != (completed.count == count) { return "isEmpty is wrong" }
            if delivery.losses.contains(where: { completed.count >= $0 }) { return "losses" }
            if model.isCancelled { return nil }
            // The updates at the view, one that collects, and a reload.
            let isSimple = hastened == 0 && model.entries.allSatisfy { $0.standIn == nil }
            if let mergeLimit, isSimple, delivery.backlog > mergeLimit + 1 {
                return "a backlog of \(delivery.backlog)"
            }
            // Every completed change set was deployed, itself or through its replacement, and so
            // were its models.
            if let missing = (0..<completed.count).first(where: { !models.contains($0 + 1) }) {
                return "the models of \(missing + 1) are missing"
            }
            return handOverFault ?? waitFault
        }

        /// Checks for every generation whether everything up to it is at the view, itself or
        /// merged.
        private var handOverFault: String? {
            for generation in 0...count {
                let standIn = generation > 0 ? model.standIn(generation - 1) : nil
                let last = standIn != nil && standIn == recovering ? standIn : generation
                let isHandedOver = (0...(last ?? 0)).dropFirst().allSatisfy {
                    handedOver.contains(head(of: $0))
                }
                if delivery.isHandedOver(through: generation) != isHandedOver {
                    return "\(generation) is handed over: \(!isHandedOver)"
                }
            }
            let isPreparing = count > 0 && !handedOver.contains(count)
            if delivery.isPreparing != isPreparing { return "preparing" }
            return delivery.lastToHandOver == (isPreparing ? count : nil) ? nil : "the last"
        }

        private func head(of generation: Int) -> Int {
            heads[generation].map(head) ?? generation
        }

        /// Checks the waits: the oldest of each kind, and the complete list.
        private var waitFault: String? {
            let first = head(of: completed.count + 1)
            let next = recovering ?? head(of: (visible.last ?? 0) + 1)
            let waiting = (0..<count).map { $0 + 1 }.first { !handedOver.contains(head(of: $0)) }
            let isHeld = waiting.map { head(of: $0) <= turns } ?? false
            let expected: [(PipelineWait, Int)?] = [
                showing.contains(first) ? (.finishing, first) : nil,
                held.contains(next) ? (.deploying, next) : nil,
                isHeld ? nil : waiting.map { (.measuring, $0) },
            ]
            let texts = expected.compactMap { $0 }.map { "\($0) \($1)" }
            let waits = delivery.waits.map { "\($0.wait) \($0.payload.generation)" }
            if waits != texts { return "\(waits), not \(texts)" }
            let all = delivery.allWaits.map(\.payload.generation)
            return all == Array(completed.count..<count).map { $0 + 1 } ? nil : "waits \(all)"
        }
    }
}
