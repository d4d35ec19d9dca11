import TestSupport
import Testing

@testable import CollectionElements

@Suite("Contents that are measured later")
struct PuttingOffTests {
    @Test func whatIsAskedForIsAskedForOnceUntilItIsPrepared() {
        let script = ElementScript("a")
        let content = script.contents[0]
        #expect(content.isPending && !content.isAsked)
        let answers = (0..<2).map { _ in content.noteAsked() }
        #expect(answers == [true, false] && content.isPending && content.isAsked)
        #expect(content.state.text == "pending" && content.size == nil)
        _ = script.element.prepare(content)
        let later = content.noteAsked()
        #expect(!content.isPending && !content.isAsked && !later)
        #expect(content.size != nil)
    }

    @Test func eachRevisionIsAskedForByItself() {
        var script = ElementScript("a")
        _ = script.element.prepare(script.contents[0])
        let revision = script.revise("b")
        #expect(revision.isPending)
        let isNews = revision.noteAsked()
        #expect(isNews && revision.isAsked && !script.contents[0].isAsked)
    }

    /// What came first, and what shows the same by the same node.
    @Test func onlyWhatShowsWhatWasShownMayBePutOff() {
        var script = ElementScript("a")
        #expect(script.contents[0].mayBePutOff)
        #expect(!script.revise("b").mayBePutOff)
        #expect(script.revise("a", keepsNode: true).mayBePutOff)
    }

    @Test func untilItIsMeasuredAContentIsAsLargeAsTheOneBefore() {
        let script = ElementScript("a")
        let first = script.contents[0]
        #expect(first.knownSize == nil)
        let before = Size(width: 3, height: 7)
        let content = ElementContent(
            revising: script.element,
            model: "a",
            sizeRange: .unconstrained,
            provider: nil,
            keepsNode: true,
            previousSize: before
        )
        #expect(content.knownSize == before && content.size == nil)
        _ = script.element.prepare(first)
        #expect(first.knownSize == first.size && first.size != nil)
        _ = script.element.prepare(content)
        #expect(content.knownSize == content.size && content.size != before)
    }

    @Test func theFirstOfTwoWhoAskIsTold() {
        let script = ElementScript("a")
        script.element.setNeedsMeasuring()
        #expect(!script.contents[0].isAsked, "an element of nobody is measured by nobody")
    }
}
