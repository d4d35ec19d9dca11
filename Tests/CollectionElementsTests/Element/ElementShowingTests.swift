import TestSupport
import Testing

@testable import CollectionElements

/// The models and traits that nodes receive, and the release of nodes. `ElementRevisionTests`
/// covers the orders in which revisions are prepared and shown.
@Suite("Nodes and the content they show")
struct ElementShowingTests {
    private func prepared(_ text: String) -> ElementScript {
        let script = ElementScript(text)
        _ = script.element.prepare(script.contents[0])
        return script
    }

    // MARK: Models

    @Test func aNodeMeasuresItsFirstModelWithoutReceivingIt() {
        var script = prepared("a")
        script.reconfigure("a1")
        script.relayout()
        script.reconfigure("a2", keepsNode: true)
        script.relayout()
        #expect(
            script.node?.recorded.measurements.map(\.passesModel) == [
                false, true, true, true, true,
            ]
        )
        #expect(script.node?.recorded.updates == ["a1", "a2"], "measuring again updates no model")
        script.reconfigure("b")
        #expect(script.node?.recorded.measurements.map(\.passesModel) == [false])
    }

    /// A content that always keeps the node says nothing about the next node.
    @Test func onlyAContentThatMayReplaceTheNodeDecidesTheNextNode() {
        var script = prepared("a")
        let inPlace = script.revise("a1", keepsNode: true)
        script.element.accept(inPlace)
        #expect(script.element.acceptsInPlace("a2"))
        let replacing = script.revise("b")
        script.element.accept(replacing)
        for content in [inPlace, replacing] { _ = script.element.prepare(content) }
        script.element.show(inPlace, isReconfigured: true)
        #expect(!script.element.acceptsInPlace("a2") && !script.element.acceptsInPlace("b2"))
        script.element.show(replacing, isReconfigured: true)
        #expect(script.element.acceptsInPlace("b2"))
        script.element.show(replacing, isReconfigured: false)
        script.element.accept(script.revise("c"))
        #expect(!script.element.acceptsInPlace("b2"), "showing a content again decides nothing")
    }

    /// If two contents fail, the node shows neither; it receives the next content that is shown.
    @Test func aFailedContentIsNotShownAndMayUseAnotherNodeOnRetry() {
        for fails in [false, true] {
            var script = prepared("a")
            let contents = ["a1", "a2"].map { script.revise($0) }
            contents.forEach(script.element.accept)
            if fails { script.node?.onMeasure { throw TestFailure() } }
            for content in contents { _ = script.element.prepare(content) }
            for content in contents { script.element.show(content, isReconfigured: true) }
            script.node?.onMeasure(nil)
            #expect(script.node?.recorded.updates == (fails ? [] : ["a1", "a2"]))
            let again = script.revise("a2", retrying: contents[1])
            #expect(again.keepsNode == !fails && again.mayLackItsNode)
            #expect(contents.map(\.mayLackItsNode) == [fails, fails])
            script.element.accept(again)
            _ = script.element.prepare(again)
            script.element.show(again, isReconfigured: false)
            #expect(script.node?.recorded.text == "a2" && !again.mayLackItsNode)
        }
    }

    /// The node was made for the last content; measuring the first one again passes no new model.
    @Test(arguments: [true, false])
    func aNodeMadeEarlyShowsEarlierContentsIfItAcceptsThem(_ canGoBack: Bool) throws {
        var script = ElementScript("a")
        script.element.accept(script.revise("a", keepsNode: true))
        script.element.accept(script.revise("a9"))
        let node = try #require(try script.element.waitForNode() as? RecordingNode)
        for content in script.contents { _ = script.element.prepare(content) }
        #expect(node.recorded.text == "a9" && script.nodes.count == 1)
        if !canGoBack { node.onAccept { $0 != "a9" } }
        script.element.show(script.contents[1], isReconfigured: false)
        #expect(node.recorded.updates == (canGoBack ? ["a"] : []))
        script.element.show(script.contents[2], isReconfigured: true)
        #expect(node.recorded.updates == (canGoBack ? ["a", "a9"] : []) && script.node === node)
        script.reconfigure("a10")
        #expect(script.node === node && node.recorded.text == "a10", "it also shows later contents")
    }

    // MARK: Release

    /// A node stays while a content is pending. The next node is made from the content's own model
    /// and accepts later ones.
    @Test(arguments: [true, false])
    func aNodeIsReleasedWhenNoContentIsPending(_ replacesNode: Bool) throws {
        let book = NodeBook()
        let elementEnvironment = ElementEnvironment(Traits(), releasesNodes: true)
        let element = ProvidedElement(
            model: "text",
            provider: { try book.makeNode("text") },
            configuration: ElementConfiguration(
                sizeRange: .width(10),
                elementEnvironment: elementEnvironment
            )
        )
        func revise(_ text: String, replaces: Bool) -> ElementContent {
            let provider: NodeProvider = { try book.makeNode(text) }
            let content = ElementContent(
                revising: element,
                model: text,
                sizeRange: .width(10),
                provider: replaces ? provider : nil,
                keptProvider: provider,
                previousSize: element.content.size
            )
            element.accept(content)
            return content
        }
        _ = element.prepare(element.content)
        let first = element.content
        let next = revise("next one", replaces: replacesNode)
        #expect(!element.releaseNode(showing: first), "the next content is not measured yet")
        #expect(next.knownSize == first.size && next.size == nil)
        _ = element.prepare(next)
        #expect(!element.releaseNode(showing: first), "the next content is not shown yet")
        element.show(next, isReconfigured: true)
        element.whileClaimed { #expect(!element.releaseNode(showing: next)) }
        #expect(element.releaseNode(showing: next) && element.nodeIfAllocated == nil)
        #expect(next.isReleased && !next.mayLackItsNode && next.size != nil)
        book.onAccept { $0 != "next one" }
        let node = try #require(try element.waitForNode() as? TextNode)
        #expect(node.text == "next one")
        let later = revise("later", replaces: false)
        _ = element.prepare(later)
        element.show(later, isReconfigured: true)
        #expect(element.nodeIfAllocated === node && node.text == "later")
        #expect(element.releaseNode(showing: later))
    }

    /// The first content, and any content that shows the same model with the same node.
    @Test func onlyContentsThatShowNothingNewMayBeDeferred() {
        var script = ElementScript("a")
        let contents = [
            script.contents[0], script.revise("b"), script.revise("a", keepsNode: true),
        ]
        #expect(contents.map(\.mayBeDeferred) == [true, false, true])
        #expect(contents.map(\.mayReplaceNode) == [false, true, false])
        let results = contents.map { $0.noteRequest() } + contents.map { $0.noteRequest() }
        let once: [ElementContent.Action] = [.prepare, .prepare, .prepare]
        #expect(results == once + [.nothing, .nothing, .nothing])
    }

    // MARK: Traits

    @Test func traitsThatChangeDuringANotificationAreNotifiedToo() {
        let elementEnvironment = ElementEnvironment(Traits(textScale: 0))
        let node = RecordingNode("a")
        node.onTraits { scale in
            guard scale < 2 else { return }
            _ = elementEnvironment.traits.replace(with: Traits(textScale: scale + 1))
        }
        let element = ProvidedElement(
            model: "a",
            provider: { node },
            configuration: ElementConfiguration(
                sizeRange: .unconstrained,
                elementEnvironment: elementEnvironment
            )
        )
        _ = element.prepare(element.content)
        #expect(node.recorded.traits == [0, 1, 2] && element.nodeIfAllocated === node)
        #expect(element.isMeasuredWithCurrentTraits(element.content))
        let traits = elementEnvironment.traits
        #expect(!traits.replace(with: Traits(textScale: 2)) && traits.generation == 2)
    }

    /// A query about a model may take long, and the traits may change meanwhile: the node is measured
    /// with the traits that it received, which may be older.
    @Test(arguments: [true, false])
    func aNodeIsMeasuredWithTheTraitsThatItReceived(_ isNotified: Bool) {
        var script = prepared("a")
        let content = script.revise("a1")
        script.element.accept(content)
        script.node?.onAccept { [script] _ in
            let next = Traits(textScale: script.traits + 1)
            if isNotified {
                script.changeTraits()
            } else {
                _ = script.elementEnvironment.traits.replace(with: next)
            }
            return true
        }
        _ = script.element.prepare(content)
        script.node?.onAccept(nil)
        #expect(script.element.isMeasuredWithCurrentTraits(content) == isNotified)
        #expect(script.node?.recorded.traits == (isNotified ? [0, 1] : [0]))
    }

    /// A pending node is notified while another node replaces it.
    @Test func notifyingTraitsDoesNotRestoreAnOlderNode() {
        var script = prepared("a")
        let contents = ["b", "c", "c1"].map { script.revise($0) }
        contents.forEach(script.element.accept)
        _ = script.element.prepare(contents[0])
        script.nodes.values.last?.onTraits { [element = script.element] _ in
            _ = element.prepare(contents[1])
        }
        script.changeTraits()
        script.nodes.values[1].onTraits(nil)
        _ = script.element.prepare(contents[2])
        #expect(script.nodes.count == 3, "the third revision uses the second's node")
        for content in contents { script.element.show(content, isReconfigured: true) }
        #expect(script.node?.recorded.text == "c1")
    }
}
