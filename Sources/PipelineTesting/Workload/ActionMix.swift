/// What the clients of a run mostly do: every run leaves some kinds of action out and does more of others, so
/// that rare pairs meet often in a few runs instead of hardly ever in all.
///
/// Source: swarm testing (Groce et al. 2012).
struct ActionMix {
    private enum Kind: CaseIterable {
        case edit
        case lie
        case fail
        case insertAtTop
        case reload
        case relayoutAll
        case relayoutFirst
        case relayoutSome
        case nested
        case traits
        case wait
        case waitOnMain
        case askWhenDone
        case clear
        case waitForNode
        case taskEdit
        case taskRecord
        case taskRebase
        case taskHistory
        case taskApply
        case taskOther
    }

    /// Every kind as often as it counts.
    private let kinds: [Kind]

    init(_ random: inout SeededGenerator) {
        kinds = Kind.allCases.flatMap { kind in
            // Without edits there is little to do.
            let least = kind == .edit ? 2 : 0
            return Array(repeating: kind, count: least + [0, 1, 4][random.next(below: 3)])
        }
    }

    func action(_ random: inout SeededGenerator) -> RunPlan.Action {
        switch kinds[random.next(below: kinds.count)] {
        case .edit: .edit(random.next())
        case .lie: .lie(random.next())
        case .fail: .fail
        case .insertAtTop: .insertAtTop
        case .reload: .reload
        case .relayoutAll: .relayoutAll
        case .relayoutFirst: .relayoutFirst
        case .relayoutSome: .relayoutSome(random.next())
        case .nested: .nested(random.next())
        case .traits: .traits(random.next(below: 3))
        case .wait: .wait
        case .waitOnMain: .waitOnMain
        case .askWhenDone: .askWhenDone
        case .clear: .clear
        case .waitForNode: .waitForNode(random.next())
        case .taskEdit: .task(.edit(random.next()))
        case .taskRecord: .task(.record(random.next()))
        case .taskRebase: .task(.rebase(random.next()))
        case .taskHistory: .task(Self.historyCall(&random))
        case .taskApply: .task(.apply(random.next()))
        case .taskOther: .task(Self.otherCall(&random))
        }
    }

    private static func historyCall(_ random: inout SeededGenerator) -> RunPlan.TaskCall {
        switch random.next(below: 5) {
        case 0, 1: .own(random.next())
        case 2, 3: .undo
        default: .redo
        }
    }

    private static func otherCall(_ random: inout SeededGenerator) -> RunPlan.TaskCall {
        switch random.next(below: 6) {
        case 0: .reload
        case 1: .relayoutAll
        case 2: .relayoutFirst
        case 3: .handedOver
        case 4: .readModel
        default: .node(random.next())
        }
    }
}
