import PipelineTestSupport

@testable import CollectionPipeline

extension DeliveryTests {
    struct Item: Deliverable, Equatable {
        let generation: Int
        var id: SubmissionID { SubmissionID(rawValue: generation) }
        var isReload = false
    }

    struct Run: MachineRun {
        enum Input: CaseIterable {
            case accepted, handedOver, deploys, rejects, finishesFirst, finishesLast
            case losesFirst, losesLast, hastens, cancelled
        }

        var delivery: Delivery<Item>
        let mergeLimit: Int?
        var accepted: [Item] = []
        /// How many have had their turn, and those that were handed over.
        var turns = 0
        var handedOver: Set<Int> = []
        /// Which later set each reaches the view with that is merged.
        var heads: [Int: Int] = [:]
        /// What the view was given and has not shown.
        var held: [Int] = []
        /// What it has shown and is not done with.
        var showing: [Int] = []
        /// The generations that became visible, in order.
        var visible: [Int] = []
        /// Whose models reached their nodes, in order.
        var models: [Int] = []
        var completed: [(generation: Int, outcome: String)] = []
        var rejected: [Int: Int] = [:]
        /// What ended as refused: reloads, and what they stood for.
        var refused: Set<Int> = []
        /// Whether what is accepted first is a load, and whether the view refused to load and lost nothing since.
        var (loads, lacksLoad) = (false, false)
        var isCancelled = false
        /// Up to where somebody waits for the hand-over.
        var hastened = 0
        var mistake: String?

        init(mergeLimit: Int? = nil) {
            self.mergeLimit = mergeLimit
            delivery = Delivery(mergeLimit: mergeLimit)
        }

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .accepted:
                guard !isCancelled else { return false }
                accept(isReload: delivery.needsReload || loads && accepted.isEmpty)
            case .handedOver:
                guard turns < accepted.count, !isCancelled else { return false }
                turns += 1
                handOver(turns)
            case .hastens:
                guard mergeLimit != nil, !isCancelled, delivery.isPreparing else { return false }
                delivery.hasten()
                hastened = accepted.count
            case .deploys:
                guard let first = held.first else { return false }
                held.removeFirst()
                lose([])
                show(first, succeeds: true)
            case .rejects:
                guard let first = held.first else { return false }
                held.removeFirst()
                lose([])
                show(first, succeeds: false)
            case .finishesFirst, .finishesLast:
                let generation = input == .finishesFirst ? showing.first : showing.last
                guard let generation else { return false }
                showing.removeAll { $0 == generation }
                complete(delivery.finished(generation))
                // Telling it again does nothing.
                complete(delivery.finished(generation))
            case .losesFirst, .losesLast:
                let all = showing + held
                guard let generation = input == .losesFirst ? all.first : all.last else {
                    return false
                }
                if held.contains(generation) { lacksLoad = false }
                showing.removeAll { $0 == generation }
                held.removeAll { $0 == generation }
                lose([generation])
            case .cancelled:
                guard !isCancelled else { return false }
                isCancelled = true
                complete(delivery.cancelled())
            }
            while !isCancelled, let item = delivery.released() { handOver(item.generation) }
            return true
        }

        private mutating func accept(isReload: Bool, isRecovery: Bool = false) {
            let (isPreparing, generation) = (delivery.isPreparing, accepted.count + 1)
            let merges = delivery.merges && !isRecovery
            if merges {
                if handedOver.contains(generation - 1) { mistake = "merges what is handed over" }
                heads[generation - 1] = generation
            }
            let last = merges ? accepted.last : nil
            accepted.append(
                Item(generation: generation, isReload: isReload || last?.isReload == true)
            )
            let mustQueue = delivery.accepted(accepted[accepted.count - 1])
            if mustQueue != isPreparing { mistake = "queues" }
        }

        private mutating func handOver(_ generation: Int) {
            switch delivery.handedOver(generation) {
            case .gone:
                if heads[generation] == nil { mistake = "gone" }
            case .held:
                // What the view lost counts until its turn.
                let atView = held.count + delivery.losses.count
                if atView < mergeLimit ?? .max, recovering == nil { mistake = "held" }
                if generation <= hastened { mistake = "held though somebody waits" }
            case .replaced:
                if standIn(for: generation) == nil { mistake = "replaced by nothing" }
                handedOver.insert(generation)
            case .give(let merged):
                if standIn(for: generation) != nil { mistake = "given, but replaced" }
                let expected = (1..<generation).filter { head(of: $0) == generation }
                if merged.map(\.generation) != expected { mistake = "given with others" }
                // What was held before the reload that stands for it.
                if recovering == generation {
                    handedOver.formUnion(accepted.map(\.generation).filter { $0 < generation })
                }
                handedOver.insert(generation)
                held.append(generation)
            }
        }

        /// The reload that is on its way.
        private var recovering: Int? { rejected.values.first { !visible.contains($0) } }

        /// What a set reaches the view with, itself where it is not merged.
        private func head(of generation: Int) -> Int {
            heads[generation].map(head) ?? generation
        }

        /// The reload that is on its way and stands for a set.
        private func standIn(for generation: Int) -> Int? {
            rejected.values.filter { $0 > generation && !visible.contains($0) }.min()
        }

        private mutating func show(_ generation: Int, succeeds: Bool) {
            switch delivery.deploying(generation) {
            case .outdated:
                let isOver = completed.contains { $0.generation == generation }
                // The reload that stood for it may be visible, and something earlier not ended.
                let isReplaced = rejected.contains { $0.key < generation && $0.value > generation }
                if !isOver, !isReplaced { mistake = "outdated" }
                // The view drops it.
                lose([generation])
            case .early: mistake = "early"
            case .ready(let item, let replaced):
                if !delivery.isDeploying { mistake = "is not deploying" }
                visible.append(generation)
                if item.generation != generation { mistake = "another is ready" }
                models += (replaced + [item]).map(\.generation)
                if lacksLoad, !item.isReload { mistake = "edits after a refused load" }
                if succeeds {
                    lacksLoad = false
                    complete(delivery.deployed(generation))
                    showing.append(generation)
                } else if item.isReload {
                    refuse(generation)
                } else {
                    reload(after: generation)
                }
                if delivery.isDeploying { mistake = "is deploying" }
                lose([])
            }
        }

        private mutating func reload(after generation: Int) {
            let reload = accepted.count + 1
            delivery.rejected(
                generation,
                reload: SubmissionID(rawValue: reload),
                reloadGeneration: reload
            )
            rejected[generation] = reload
            accept(isReload: true, isRecovery: true)
        }

        private mutating func refuse(_ generation: Int) {
            for lower in accepted.map(\.generation) where lower <= generation {
                let isReplaced = rejected.contains { $0.key <= lower && $0.value == generation }
                if lower == generation || isReplaced { refused.insert(lower) }
            }
            delivery.refused(generation) { _ in .refused(UpdateError(.viewRefused, "")) }
            complete(delivery.deployed(generation))
            showing.append(generation)
            lacksLoad = true
            if delivery.backlog > 0 { reload(after: generation) }
        }

        private mutating func lose(_ generations: [Int]) {
            delivery.lost(generations)
            while let (item, isDeployed) = delivery.nextLoss() {
                if !isDeployed, case .ready(_, let replaced) = delivery.deploying(item.generation) {
                    visible.append(item.generation)
                    models += (replaced + [item]).map(\.generation)
                    complete(delivery.deployed(item.generation))
                }
                complete(delivery.finished(item.generation))
            }
        }

        private mutating func complete(_ entries: [SubmissionLedger<Item>.Entry]) {
            completed += entries.map { ($0.payload.generation, $0.outcome.text) }
        }

        var fault: String? {
            if let mistake { return mistake }
            let order = completed.map(\.generation)
            if order != Array(1..<(order.count + 1)) { return "completed \(order)" }
            if visible != visible.sorted() { return "visible \(visible)" }
            if models != models.sorted() || Set(models).count != models.count {
                return "models \(models)"
            }
            for (generation, outcome) in completed where outcome != expected(generation) {
                return "\(generation): \(outcome), not \(expected(generation))"
            }
            if delivery.isEmpty != (completed.count == accepted.count) { return "emptiness" }
            if !isCancelled {
                if let early = showing.first(where: order.contains) {
                    return "\(early) completed while the view was still at it"
                }
                let isPreparing = accepted.last.map { !handedOver.contains($0.generation) }
                if delivery.isPreparing != isPreparing ?? false { return "preparing" }
                // Up to one that was there when somebody asked, one that collects, and a reload.
                if let mergeLimit, hastened == 0, rejected.isEmpty,
                    delivery.backlog > mergeLimit + 1
                {
                    return "a backlog of \(delivery.backlog)"
                }
                // What completed was shown, itself or by what stands for it, and its models with it.
                if let missing = order.first(where: { !models.contains($0) }) {
                    return "the models of \(missing) are missing"
                }
                // With nothing left at the view nothing waits for it.
                let isQuiet = held.isEmpty && showing.isEmpty && turns == accepted.count
                if isQuiet, !delivery.isEmpty { return "it waits for nobody" }
            }
            let waits = delivery.waits.map { "\($0.wait) \($0.payload.generation)" }
            if !isCancelled, waits != expectedWaits { return "\(waits), not \(expectedWaits)" }
            return delivery.losses.contains { completed.count >= $0 } ? "remembers losses" : nil
        }

        /// Who waits for what.
        private var expectedWaits: [String] {
            let first = head(of: completed.count + 1)
            let next = recovering ?? head(of: (visible.last ?? 0) + 1)
            let waiting = accepted.map(\.generation).first { !handedOver.contains(head(of: $0)) }
            let isHeld = waiting.map { head(of: $0) <= turns } ?? false
            let waits: [(PipelineWait, Int)?] = [
                showing.contains(first) ? (.finishing, first) : nil,
                held.contains(next) ? (.deploying, next) : nil,
                isHeld ? nil : waiting.map { (.measuring, $0) },
            ]
            return waits.compactMap { $0 }.map { "\($0) \($1)" }
        }

        private func expected(_ generation: Int) -> String {
            let head = head(of: generation)
            if head != generation {
                let outcome = expected(head)
                return outcome.hasPrefix("deployed") ? "superseded(#\(head))" : outcome
            }
            if refused.contains(generation) { return "refused(viewRefused)" }
            let replacing = rejected.filter { $0.key < generation && $0.value > generation }
            let standIn = rejected[generation] ?? replacing.values.min()
            if isCancelled, !visible.contains(standIn ?? generation) { return "cancelled" }
            if rejected[generation] != nil { return "deployedByReload" }
            return standIn.map { "superseded(#\($0))" } ?? "deployed"
        }
    }
}
