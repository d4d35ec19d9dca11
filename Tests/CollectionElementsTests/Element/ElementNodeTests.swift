import TestSupport
import Testing

@testable import CollectionElements

/// Everything that can happen to an element's node, in every order, up to a length.
@Suite("The node of an element")
struct ElementNodeTests {
    // MARK: The claim

    private struct ClaimRun: MachineRun {
        enum Input: CaseIterable {
            case workerComes, askerComes, removedIsAskedFor, waiterComes, nodeIsMade, claimEnds
        }

        var node = ElementNode()
        var isHeld = false
        var (isMade, waiting, called) = (false, 0, 0)
        var mistake: String?
        let calls = Journal<Int>()

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .workerComes:
                if node.claimRequested() == isHeld { mistake = "two hold it, or none may" }
                isHeld = true
            case .askerComes, .removedIsAskedFor:
                ask(isRemoved: input == .removedIsAskedFor)
            case .waiterComes:
                let (calls, number) = (calls, waiting + called)
                guard node.endAwaited({ calls.append(number) }) else {
                    if isHeld { mistake = "not told of the end" }
                    return true
                }
                if !isHeld { mistake = "waits for nobody" }
                waiting += 1
            case .nodeIsMade:
                guard isHeld, !isMade else { return false }
                isMade = true
                node.made(NodeWithTraits(node: DiaryNode("a"), traitsGeneration: 0))
            case .claimEnds:
                guard isHeld else { return false }
                isHeld = false
                end()
            }
            return true
        }

        private mutating func ask(isRemoved: Bool) {
            switch (node.nodeRequested(isRemoved: isRemoved), isMade, isHeld) {
            case (.give, true, _), (.wait, false, true): break
            case (.giveUp, false, false) where isRemoved: break
            case (.make, false, false) where !isRemoved: isHeld = true
            case (let answer, _, _): mistake = "\(answer)"
            }
        }

        private mutating func end() {
            let waiters = node.claimEnded()
            if waiters.count != waiting { mistake = "forgotten" }
            let before = calls.count
            for waiter in waiters { waiter() }
            let numbers = calls.values.dropFirst(before)
            if Array(numbers) != Array(called..<called + waiting) { mistake = "in another order" }
            (called, waiting) = (called + waiting, 0)
        }

        var fault: String? {
            if let mistake { return mistake }
            return switch (node.claim, isHeld, waiting) {
            case (.free, false, 0), (.held, true, 0): nil
            case (.awaited(let waiters), true, waiting): waiters.count == waiting ? nil : "lost"
            default: "\(node.claim)"
            }
        }
    }

    @Test func oneHoldsTheClaimAndTheOthersAreToldInOrder() {
        let walked = walk(ClaimRun(), length: Effort.number(7, usually: 6))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
    }

    // MARK: Nodes

    private struct NodeRun: MachineRun {
        enum Input: CaseIterable {
            case replacingIsAccepted, modelIsAcceptedInPlace, relayoutIsAccepted
            case nodeIsAskedFor, preparedInPlace, preparedAgain, failed, shown
            case traitsChange, traitsAreTold
        }

        struct Content {
            let model: Int
            var isNew = true
            var mayReplace = false
            var own: NodeWithTraits?
            var isEarly = false
            var hasFailed = false
            /// Whether the machine has been told of its own node.
            var isFound = false
        }

        /// What a node shows, and which traits it has.
        struct Look {
            var model: Int
            var traits: UInt32
        }

        var machine = ElementNode()
        var contents = [Content(model: 0)]
        var (prepared, shownCount) = (0, 0)
        var looks: [ObjectIdentifier: Look] = [:]
        var shown: ObjectIdentifier?
        /// One that was asked for early is out of the machine's sight until its content is prepared, and one that
        /// another is prepared behind until it is shown: these may be told again what they know.
        var overtaken: Set<ObjectIdentifier> = []
        var traits: UInt32 = 0
        var mistake: String?

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .replacingIsAccepted, .modelIsAcceptedInPlace, .relayoutIsAccepted:
                return accept(input)
            case .nodeIsAskedFor: return ask()
            case .preparedInPlace, .preparedAgain, .failed: return prepare(input)
            case .shown: return show()
            case .traitsChange: traits += 1
            case .traitsAreTold: tell()
            }
            return true
        }

        private mutating func accept(_ input: Input) -> Bool {
            guard contents.count < 5, let last = contents.last else { return false }
            var content = Content(model: contents.count)
            switch input {
            case .replacingIsAccepted:
                content.mayReplace = true
            case .modelIsAcceptedInPlace:
                guard machine.foreseeable != nil else { return false }
            default:
                // One that came with the element, or is measured, has its node.
                let lacksNode = contents.count > prepared || last.hasFailed
                content = Content(model: last.model, isNew: false)
                content.mayReplace = contents.count > 1 && lacksNode
            }
            if content.mayReplace { machine.replacementAccepted() }
            contents.append(content)
            return true
        }

        private mutating func made(_ model: Int) -> NodeWithTraits {
            let node = NodeWithTraits(node: DiaryNode(""), traitsGeneration: traits)
            looks[ObjectIdentifier(node.node)] = Look(model: model, traits: traits)
            return node
        }

        /// Somebody wants the node of the newest content, ahead of its turn.
        private mutating func ask() -> Bool {
            let last = contents.count - 1
            guard shown == nil, !contents[last].hasFailed else { return false }
            let node = made(contents[last].model)
            shown = ObjectIdentifier(node.node)
            if contents[last].mayReplace {
                (contents[last].own, contents[last].isEarly) = (node, true)
                machine.madeEarly(node, for: contents[last].model)
            } else {
                machine.made(node)
            }
            return true
        }

        private mutating func prepare(_ input: Input) -> Bool {
            guard prepared < contents.count else { return false }
            let content = contents[prepared]
            let next = machine.newest.flatMap { $0.node === machine.shown?.node ? nil : $0.node }
            defer {
                if let next, machine.newest?.node !== next {
                    overtaken.insert(ObjectIdentifier(next))
                }
            }
            switch input {
            case .failed:
                // One that is skipped does not come to its node.
                contents[prepared].hasFailed = true
            case .preparedAgain:
                guard content.mayReplace, content.own == nil, shown != nil else { return false }
                let node = made(content.model)
                (contents[prepared].own, contents[prepared].isFound) = (node, true)
                machine.replacementPrepared(node)
            default:
                if let own = content.own {
                    contents[prepared].isFound = true
                    machine.replacementPrepared(own)
                } else if shown == nil {
                    let node = made(content.model)
                    shown = ObjectIdentifier(node.node)
                    machine.made(node)
                }
            }
            prepared += 1
            // What the element came with is shown with the element.
            shownCount = max(1, shownCount)
            return true
        }

        private mutating func show() -> Bool {
            guard shownCount > 0, shownCount < prepared else { return false }
            let content = contents[shownCount]
            shownCount += 1
            if content.mayReplace { machine.replacementSettled() }
            if let own = content.own {
                machine.replaced(by: own)
                if let shown, shown != ObjectIdentifier(own.node) { overtaken.insert(shown) }
                shown = ObjectIdentifier(own.node)
                if content.isEarly { looks[ObjectIdentifier(own.node)]?.model = content.model }
                tell()
            } else {
                switch machine.modelShown(isNew: content.isNew, hasFailed: content.hasFailed) {
                case .leave: break
                case .update(let node), .updateIfAccepting(let node, _):
                    looks[ObjectIdentifier(node)]?.model = content.model
                    if content.hasFailed { mistake = "shows what failed" }
                }
            }
            let look = shown.flatMap { looks[$0] }
            if !content.hasFailed, look?.model != content.model { mistake = "another model" }
            return true
        }

        private mutating func tell() {
            let (first, second) = machine.nodes(olderThan: traits)
            if let first, first.node === second?.node { mistake = "told twice" }
            for node in [first, second].compactMap({ $0?.node }) {
                let id = ObjectIdentifier(node)
                if looks[id]?.traits == traits, !overtaken.contains(id) { mistake = "told again" }
                looks[id]?.traits = traits
                machine.told(traits, node)
            }
            for node in [machine.shown, machine.newest].compactMap({ $0 }) {
                let isTold = looks[ObjectIdentifier(node.node)]?.traits == traits
                if !isTold || node.traitsGeneration != traits { mistake = "not told" }
            }
        }

        var fault: String? {
            if let mistake { return mistake }
            if machine.shown.map({ ObjectIdentifier($0.node) }) != shown { return "another node" }
            let own = contents[shownCount..<max(prepared, shownCount)].last { $0.isFound }?.own
            let newest = own.map { ObjectIdentifier($0.node) } ?? shown
            if machine.newest.map({ ObjectIdentifier($0.node) }) != newest { return "newest" }
            let isOpen = contents[shownCount...].contains { $0.mayReplace }
            let foreseeable = machine.foreseeable.map { ObjectIdentifier($0) }
            if foreseeable != (isOpen ? nil : newest) { return "foreseeable" }
            for node in [machine.shown, machine.newest].compactMap({ $0 }) {
                let traits = looks[ObjectIdentifier(node.node)]?.traits ?? 0
                if traits < node.traitsGeneration { return "not told what it is taken to know" }
            }
            return stateFault
        }

        private var stateFault: String? {
            guard shownCount == contents.count else { return nil }
            switch machine.state {
            case .absent: return shown == nil ? nil : "absent"
            case .settled: return nil
            case .unsettled(_, .outdated, next: nil):
                return contents.contains { $0.hasFailed } ? nil : "outdated"
            // Everything is shown, so there is nothing to come.
            case .unsettled: return "unsettled"
            }
        }
    }

    /// Of contents that replace the node, take it or fail, asked for early or not.
    @Test func whatIsShownIsShownByItsNodeAndNoNodeIsForgotten() {
        let walked = walk(NodeRun(), length: Effort.number(8, usually: 7))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
    }
}
