import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Everything that can happen to a content offset, in every order, up to a length.
@Suite("The rule of the content offset")
struct OffsetRuleTests {
    /// Beside what counted last, as two facts: what is to stay in place, and whether the layout has spoken.
    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case invalidated, updated, updatedInNoSight, adjusted, scrolled, reloaded, resized
            case roundPrepared, passEnded, moveBegan, tellingBegan, ended
        }

        private enum Call { case move(Bool), telling(Bool) }

        var rule = OffsetRule()
        private var anchor: ScrollAnchor?
        private var (isLayouts, isUnchecked) = (false, false)
        private var calls: [Call] = []
        /// How many anchors there were: every other is that of the beginning.
        private var count = 0
        private var mistake: String?

        /// Whether what changes now changes by a move, and not in what the delegate does about it.
        private var isMoving: Bool {
            if case .move = calls.last { true } else { false }
        }

        private mutating func nextAnchor() -> ScrollAnchor {
            count += 1
            guard count.isMultiple(of: 2) else { return .beginning }
            return .cell(ItemPath(0, count), distance: .zero, isRightToLeft: false)
        }

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .invalidated:
                let new = nextAnchor()
                rule.take(.invalidation(new))
                if anchor == nil, !isLayouts { anchor = new }
            case .updated:
                let new = nextAnchor()
                rule.take(.update(new))
                (anchor, isLayouts) = (new, false)
            case .updatedInNoSight:
                rule.take(.update(nil))
                anchor = nil
            case .adjusted:
                rule.take(.layout)
                (anchor, isLayouts) = (nil, true)
            case .scrolled:
                rule.take(.program)
                (anchor, isUnchecked) = (nil, false)
            case .reloaded:
                rule.reloaded()
                if anchor != .beginning { anchor = nil }
            case .resized:
                rule.resized()
                isUnchecked = true
            case .roundPrepared:
                if rule.settled() != anchor { mistake = "another anchor than was noted" }
                (isLayouts, isUnchecked) = (false, false)
            case .passEnded:
                rule.release()
                anchor = nil
            case .moveBegan, .tellingBegan: return began(input == .moveBegan)
            case .ended: return ended()
            }
            return true
        }

        private mutating func began(_ isMove: Bool) -> Bool {
            if isMove {
                calls.append(.move(rule.moveBegan()))
            } else if let wasMoving = rule.tellingBegan() {
                calls.append(.telling(wasMoving))
            } else {
                mistake = "not told"
            }
            return true
        }

        private mutating func ended() -> Bool {
            switch calls.popLast() {
            case nil: return false
            case .move(let wasMoving): rule.moveEnded(wasMoving)
            case .telling(let wasMoving): rule.tellingEnded(wasMoving)
            }
            return true
        }

        var fault: String? {
            if let mistake { return mistake }
            if rule.anchor != anchor { return "the anchor is \(rule.anchor as Any)" }
            if anchor != nil, isLayouts { return "two who decide" }
            if rule.isAnchorWanted != (anchor == nil && !isLayouts) { return "an anchor is wanted" }
            if rule.isMoving != isMoving { return "moving" }
            if !rule.isDue(isPrepared: false) { return "no check after preparing" }
            let isDue = anchor != nil || isUnchecked
            return rule.isDue(isPrepared: true) == isDue ? nil : "a move of what is settled"
        }
    }

    @Test func theLatestWhoDecidesCountsAndAnInvalidationOnlyWhereThereIsNobody() {
        let walked = walk(Run(), length: Effort.number(6, usually: 5))
        #expect(walked.fault == nil)
        #expect(walked.count > 20_000)
    }

    @Test func theDelegateIsToldWithinItselfAsOftenAsThereAreRoundsAndThenNoMore() {
        var rule = OffsetRule()
        var answers: [Bool] = []
        while let wasMoving = rule.tellingBegan() {
            answers.append(wasMoving)
            _ = rule.moveBegan()
        }
        #expect(answers.count == SimulatedCollectionView.roundLimit)
        #expect(rule.isMoving, "what is not told is no interruption")
        for wasMoving in answers.reversed() { rule.tellingEnded(wasMoving) }
        #expect(!rule.isMoving)
        #expect(rule.tellingBegan() != nil)
    }
}
