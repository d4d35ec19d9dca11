import PipelineTestSupport

@testable import CollectionPipeline

extension DeliveryTests {
    struct Item: Deliverable, Equatable {
        let generation: Int
        var id: SubmissionID { SubmissionID(rawValue: generation) }
        var isReload = false
    }

    /// A delivery beside its view and a ``PipelineModel``, in which numbers are generations.
    struct Run: MachineRun {
        enum Input: CaseIterable {
            case accepted, handedOver, deploys, rejects, finishesFirst, finishesLast
            case losesFirst, losesLast, hastens, cancelled
        }

        var delivery: Delivery<Item>
        let mergeLimit: Int?
        var model = PipelineModel()
        /// How many have had their turn, and those that were handed over.
        var (turns, handedOver): (Int, Set<Int>) = (0, [])
        /// Which later set each is part of that is merged.
        var heads: [Int: Int] = [:]
        /// What the view was given and has not shown, and what it has shown and is not done with.
        var (held, showing): ([Int], [Int]) = ([], [])
        /// The generations that became visible, and whose models reached their nodes, in order.
        var (visible, models): ([Int], [Int]) = ([], [])
        var completed: [String] = []
        /// Whether what is accepted first is a load.
        var loads = false
        /// Up to where somebody waits for the hand-over.
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
                // Telling it again does nothing.
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
            // The load that it takes in.
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
                // What the view lost counts until its turn.
                let isFull = held.count + delivery.losses.count >= mergeLimit ?? .max
                if !isFull, recovering == nil { mistake = "held" }
                if generation <= hastened { mistake = "held though somebody waits" }
            case .replaced:
                if !isReplaced { mistake = "replaced by nothing" }
                handedOver.insert(generation)
            case .give(let merged):
                if isReplaced { mistake = "given, but replaced" }
                // What was held before the reload that stands for it.
                if recovering == generation { handedOver.formUnion(0..<generation) }
                model.received(generation)
                let parts = model.parts(of: generation).dropLast()
                if merged.map(\.generation) != parts.map(\.generation) { mistake = "with others" }
                handedOver.insert(generation)
                held.append(generation)
            }
        }

        /// The reload that is on its way.
        private var recovering: Int? {
            model.entries.compactMap(\.standIn).last { !model.entries[$0 - 1].isShown }
        }

        private func isReplaced(_ generation: Int) -> Bool { model.standIn(generation - 1) != nil }

        private mutating func show(_ generation: Int, succeeds: Bool) {
            switch delivery.deploying(generation) {
            case .outdated:
                if !isReplaced(generation), !model.isCancelled { mistake = "outdated" }
                // The view drops it.
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
                return .refused(error)
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
                if case .refused(let error) = entry.outcome {
                    text = "refused(viewRefused #\(error.submission?.rawValue ?? 0))"
                }
                return "\(generation): \(text)"
            }
        }

        // MARK: What must hold

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
            if delivery.isEmpty != (completed.count == count) { return "emptiness" }
            if delivery.losses.contains(where: { completed.count >= $0 }) { return "losses" }
            if model.isCancelled { return nil }
            // Up to one that was there when somebody asked, one that collects, and a reload.
            let isSimple = hastened == 0 && model.entries.allSatisfy { $0.standIn == nil }
            if let mergeLimit, isSimple, delivery.backlog > mergeLimit + 1 {
                return "a backlog of \(delivery.backlog)"
            }
            // What completed was shown, itself or by what stands for it, and its models with it.
            if let missing = (0..<completed.count).first(where: { !models.contains($0 + 1) }) {
                return "the models of \(missing + 1) are missing"
            }
            return handOverFault ?? waitFault
        }

        /// Whether everything up to a generation is with the view, itself or by what it is shown with.
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

        /// Who waits for what: the oldest of each kind, and all.
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
