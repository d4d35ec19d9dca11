import PipelineTestSupport
import Testing

@testable import SimulatedView

/// One promise at a time; every sequence of inputs is walked in `OffsetRuleTests`.
@Suite("What the rule of the content offset answers")
struct OffsetRuleAnswerTests {
    private let first = ScrollAnchor.cell(ItemPath(0, 1), distance: .zero, isRightToLeft: false)
    private let second = ScrollAnchor.cell(ItemPath(0, 2), distance: .zero, isRightToLeft: false)

    @Test func atFirstNothingStaysInPlaceAndNothingIsToBeChecked() {
        var rule = OffsetRule()
        #expect(rule.anchor == nil && rule.isAnchorWanted)
        #expect(!rule.isDue(isPrepared: true))
        var depth = 0
        while rule.tellingBegan() != nil { depth += 1 }
        #expect(depth == SimulatedCollectionView.roundLimit)
    }

    @Test func theFirstInvalidationDecidesWhatStaysInPlace() {
        var rule = OffsetRule()
        rule.take(.invalidation(first))
        rule.take(.invalidation(second))
        #expect(rule.anchor == first)
    }

    @Test func aReloadKeepsTheBeginningInPlaceAndNothingElse() {
        let cases: [(ScrollAnchor, ScrollAnchor?)] = [(first, nil), (.beginning, .beginning)]
        for (anchor, kept) in cases {
            var rule = OffsetRule()
            rule.take(.invalidation(anchor))
            rule.reloaded()
            #expect(rule.anchor == kept)
        }
    }

    @Test func whatTheLayoutAdjustedOutlastsThePassAndNotThePreparing() {
        var rule = OffsetRule()
        rule.take(.layout)
        rule.release()
        #expect(!rule.isAnchorWanted, "the frames that are known are still those of before")
        #expect(rule.settled() == nil)
        #expect(rule.isAnchorWanted)
    }

    @Test func anotherExtentIsCheckedOnce() {
        var rule = OffsetRule()
        rule.resized()
        #expect(rule.isDue(isPrepared: true))
        #expect(rule.settled() == nil)
        #expect(!rule.isDue(isPrepared: true))
    }

    /// Where it had the offset is counted from the round before, and only while the same stays in place.
    @Test func whereSomethingElseStaysInPlaceNoRoundCameBefore() {
        var rule = OffsetRule()
        rule.take(.update(first))
        #expect(rule.kept(at: Point(x: 0, y: 7)) == nil)
        #expect(rule.kept(at: Point(x: 0, y: 8)) == Point(x: 0, y: 7))
        #expect(rule.kept(at: Point(x: 0, y: 9)) == Point(x: 0, y: 8))
        rule.take(.update(second))
        #expect(rule.kept(at: Point(x: 0, y: 7)) == nil)
    }
}
