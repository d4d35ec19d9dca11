import TestSupport
import Testing

@testable import CollectionElements

@Suite("What nodes are told")
struct ElementShowingTests {
    private func prepared(_ text: String) -> ElementScript {
        let script = ElementScript(text)
        _ = script.element.prepare(script.contents[0])
        return script
    }

    @Test func aNodeIsAskedWithoutTheModelThatItWasMadeFor() {
        var script = prepared("a")
        script.reconfigure("a1")
        #expect(script.node?.noted.measurements.map(\.isAskedWithModel) == [false, true])
        script.reconfigure("b")
        #expect(script.node?.noted.measurements.map(\.isAskedWithModel) == [false])
    }

    /// What keeps its node in any case tells nothing about the node that there will be.
    @Test func whatKeepsItsNodeIsNoReasonToDoubtWhichNodeThereWillBe() {
        var script = prepared("a")
        let content = script.revise("a", keepsNode: true)
        script.element.accept(content)
        #expect(script.element.acceptsInPlace("a2"))
        _ = script.element.prepare(content)
        script.element.show(content, isReconfigured: false)
        #expect(script.element.acceptsInPlace("a2"))
        #expect(script.node?.noted.updates == [])
    }

    /// It was made for the model that the node shows; the node is asked about its own all the same.
    @Test func whatKeepsItsNodeIsMeasuredWithItsModel() {
        var script = prepared("a")
        script.reconfigure("a1", keepsNode: true)
        #expect(script.node?.noted.measurements.map(\.text) == ["a", "a1"])
        #expect(script.node?.noted.measurements.map(\.isAskedWithModel) == [false, true])
    }

    @Test func onlyWhatMayBringAnotherNodeSettlesWhichNodeThereWillBe() {
        var script = prepared("a")
        let inPlace = script.revise("a1", keepsNode: true)
        let replacing = script.revise("b")
        for content in [inPlace, replacing] { script.element.accept(content) }
        for content in [inPlace, replacing] { _ = script.element.prepare(content) }
        script.element.show(inPlace, isReconfigured: true)
        #expect(!script.element.acceptsInPlace("a2") && !script.element.acceptsInPlace("b2"))
        script.element.show(replacing, isReconfigured: true)
        #expect(script.element.acceptsInPlace("b2"))
    }

    @Test func aContentThatIsShownAgainSettlesNothingAgain() {
        var script = prepared("a")
        script.reconfigure("b")
        let content = script.contents[1]
        script.element.show(content, isReconfigured: false)
        #expect(script.element.acceptsInPlace("b2") && script.node?.noted.text == "b")
        script.element.accept(script.revise("c"))
        #expect(!script.element.acceptsInPlace("b2"), "nobody can tell which node there will be")
    }

    /// What has no model has nothing that its node must be able to go back to.
    @Test func aNodeThatWasMadeAheadForNoModelShowsThoseBefore() throws {
        var script = ElementScript("a")
        let bare = ElementContent(
            revising: script.element,
            model: nil,
            sizeRange: .unconstrained,
            provider: { DiaryNode("a9") }
        )
        let first = script.revise("a1", keepsNode: true)
        for content in [first, bare] { script.element.accept(content) }
        let node = try #require(try script.element.waitForNode() as? DiaryNode)
        for content in [script.contents[0], first, bare] { _ = script.element.prepare(content) }
        script.element.show(first, isReconfigured: true)
        #expect(node.noted.text == "a1" && script.node === node)
    }

    @Test func aNodeAcceptsEveryModelUnlessItSaysOtherwise() {
        #expect(ObligingNode().accepts("x"))
    }

    /// Says nothing about which models it accepts.
    private final class ObligingNode: ReconfigurableNode {
        func measure(in range: SizeRange) -> Size { .zero }
        func measure(_ model: String, in range: SizeRange) -> Size { .zero }
        func update(to model: String) {}
    }

    /// The newest content has its node before those before it bring others, and those after it take it.
    @Test func aNodeThatWasMadeAheadIsTheOneForWhatFollowsOnIt() throws {
        var script = ElementScript("a")
        for text in ["b", "c"] { script.element.accept(script.revise(text)) }
        let node = try #require(try script.element.waitForNode() as? DiaryNode)
        script.element.accept(script.revise("c3"))
        for content in script.contents { _ = script.element.prepare(content) }
        #expect(script.nodes.values.map(\.noted.text) == ["c", "b"])
        script.changeTraits()
        var shown: [String?] = []
        for content in script.contents.dropFirst() {
            script.element.show(content, isReconfigured: true)
            shown.append(script.node?.noted.text)
        }
        #expect(shown == ["b", "c", "c3"] && script.node === node)
        #expect(node.noted.told.last == 1)
    }

    @Test func measuringAnewTellsANodeNoModel() throws {
        var script = prepared("a")
        script.relayout()
        script.reconfigure("a1")
        script.relayout()
        #expect(script.node?.noted.updates == ["a1"])
        script.reconfigure("b")
        script.relayout()
        #expect(script.nodes.count == 2)
        #expect(script.node?.noted.updates == [])
    }

    /// The node goes on to show the older model until the newer one is measured.
    @Test func aModelThatFailedIsShownOnceItIsMeasuredAgain() throws {
        var script = prepared("a")
        let node = try #require(script.node)
        node.onMeasure { throw TestFailure("measuring") }
        script.reconfigure("a1", keepsNode: true)
        #expect(node.noted.text == "a" && node.noted.updates == [])
        node.onMeasure(nil)
        for _ in 0..<3 {
            script.relayout()
            #expect(node.noted.updates == ["a1"] && script.node === node)
        }
    }

    /// The element is laid out with the size that it had.
    @Test(arguments: ["provider", "measuring"])
    func whereANewNodeFailsTheOldOneStaysUnlessTheNewOneIsThere(_ failing: String) throws {
        let script = prepared("a")
        let node = try #require(script.node)
        let content = ElementContent(
            revising: script.element,
            model: "b",
            sizeRange: .unconstrained,
            provider: {
                if failing == "provider" { throw TestFailure(failing) }
                let node = DiaryNode("b")
                node.onMeasure { throw TestFailure(failing) }
                return node
            },
            previousSize: script.contents[0].size
        )
        script.element.accept(content)
        guard case .failed = script.element.prepare(content) else {
            Issue.record("the content must fail")
            return
        }
        #expect(content.size == DiaryNode.size(of: "a"))
        script.element.show(content, isReconfigured: true)
        #expect(script.node?.noted.text == (failing == "provider" ? "a" : "b"))
        #expect((script.node === node) == (failing == "provider") && node.noted.updates == [])
    }

    @Test func aNodeInThePlaceOfAnotherLacksNoModel() throws {
        var script = prepared("a")
        script.node?.onMeasure { throw TestFailure("measuring") }
        script.reconfigure("a1")
        script.reconfigure("b")
        script.relayout()
        #expect(script.nodes.count == 2)
        #expect(script.node?.noted.updates == [] && script.node?.noted.text == "b")
    }

    @Test func aNodeThatHasComeToRefuseAModelIsNotToldIt() throws {
        var script = prepared("a")
        let content = script.revise("a1")
        script.element.accept(content)
        _ = script.element.prepare(content)
        script.node?.onAccept { _ in false }
        script.element.show(content, isReconfigured: true)
        #expect(script.node?.noted.updates == [])
    }

    /// It could not go back to its first model, and never has to.
    @Test func aNodeThatWasAskedForFirstTakesLaterModels() throws {
        var script = ElementScript("a")
        let node = try #require(try script.element.waitForNode() as? DiaryNode)
        node.onAccept { $0 != "a" }
        _ = script.element.prepare(script.contents[0])
        script.reconfigure("a1")
        #expect(script.node === node && node.noted.text == "a1")
        #expect(script.contents[0].replacement == nil)
    }

    @Test func aNodeThatWasMadeAheadIsForgottenOnceItIsShown() throws {
        var script = ElementScript("a")
        let content = script.revise("a1")
        script.element.accept(content)
        let node = try #require(try script.element.waitForNode() as? DiaryNode)
        for content in script.contents { _ = script.element.prepare(content) }
        script.changeTraits()
        script.element.show(content, isReconfigured: true)
        #expect(node.noted.told == [0, 1])
        node.onAccept { $0 != "a1" }
        script.reconfigure("a2")
        #expect(script.node === node && node.noted.text == "a2")
    }

    /// It was made for the last content; measuring the first one again tells it no new model.
    @Test(arguments: [true, false])
    func aNodeThatWasMadeAheadShowsTheContentsBeforeIfItCanGoBack(_ canGoBack: Bool) throws {
        var script = ElementScript("a")
        script.element.accept(script.revise("a", keepsNode: true))
        script.element.accept(script.revise("a9"))
        let node = try #require(try script.element.waitForNode() as? DiaryNode)
        for content in script.contents { _ = script.element.prepare(content) }
        #expect(node.noted.text == "a9" && script.nodes.count == 1)
        if !canGoBack { node.onAccept { $0 != "a9" } }
        script.element.show(script.contents[1], isReconfigured: false)
        #expect(node.noted.updates == (canGoBack ? ["a"] : []))
        script.element.show(script.contents[2], isReconfigured: true)
        #expect(node.noted.updates == (canGoBack ? ["a", "a9"] : []) && script.node === node)
    }
}
