import TestSupport
import Testing

@testable import CollectionElements

/// Everything that can happen to what a revision brings, in every order, up to a length.
@Suite("The node of a revision")
struct RevisionNodeTests {
    private struct Run: MachineRun {
        enum Input: CaseIterable { case providerIsTaken, made, madeEarly, shown }

        var node = RevisionNode.provided({ DiaryNode("a") }, retrying: nil)
        /// Who has taken the provider may make a node of it, once.
        var (isTaken, isMade, isEarly, isShown) = (false, false, false, false)
        var mistake: String?

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .providerIsTaken:
                if (node.providerTaken() != nil) == isTaken { mistake = "given away twice" }
                isTaken = true
            case .made, .madeEarly:
                guard isTaken, !isMade else { return false }
                (isMade, isEarly) = (true, input == .madeEarly)
                let made = NodeWithTraits(node: DiaryNode("a"), traitsGeneration: 3)
                node.made(made, isEarly: isEarly)
            case .shown:
                let shown = node.shown()
                if (shown != nil) != (isMade && !isShown) { mistake = "handed over" }
                if let shown, shown.isEarly != isEarly { mistake = "early" }
                isShown = isShown || isMade
            }
            return true
        }

        var fault: String? {
            if let mistake { return mistake }
            return switch node {
            case .provided: isTaken ? "provided" : nil
            case .spent: isTaken && isMade == isShown ? nil : "spent"
            case .made: isMade && !isShown ? nil : "made"
            }
        }
    }

    @Test func aProviderIsGivenAwayOnceAndItsNodeHandedOverOnce() {
        let walked = walk(Run(), length: 6)
        #expect(walked.fault == nil)
        #expect(walked.count > 500)
    }
}
