import TestSupport
import Testing

@testable import CollectionElements

/// What nodes are told: models, traits and whose they are. The orders in which revisions are prepared and shown
/// are in `ElementRevisionTests`.
@Suite("What nodes are told")
struct ElementShowingTests {
    private func prepared(_ text: String) -> ElementScript {
        let script = ElementScript(text)
        _ = script.element.prepare(script.contents[0])
        return script
    }

    // MARK: Models

    @Test func aNodeIsAskedWithoutTheModelThatItWasMadeFor() {
        var script = prepared("a")
        script.reconfigure("a1")
        script.reconfigure("a2", keepsNode: true)
        script.relayout()
        #expect(
            script.node?.noted.measurements.map(\.isAskedWithModel) == [false, true, true, true]
        )
        #expect(script.node?.noted.updates == ["a1", "a2"], "measuring anew tells no model")
        script.reconfigure("b")
        #expect(script.node?.noted.measurements.map(\.isAskedWithModel) == [false])
    }

    /// What keeps its node in any case tells nothing about the node that there will be.
    @Test func onlyWhatMayBringAnotherNodeSettlesWhichNodeThereWillBe() {
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
        #expect(!script.element.acceptsInPlace("b2"), "shown again, it settles nothing again")
    }

    /// Of two contents that fail, the node shows neither, and what is shown afterwards it is told.
    @Test func whatFailsIsNotShownAndMayTakeAnotherNodeWhenMeasuredAgain() {
        for fails in [false, true] {
            var script = prepared("a")
            let contents = ["a1", "a2"].map { script.revise($0) }
            contents.forEach(script.element.accept)
            if fails { script.node?.onMeasure { throw TestFailure() } }
            for content in contents { _ = script.element.prepare(content) }
            for content in contents { script.element.show(content, isReconfigured: true) }
            script.node?.onMeasure(nil)
            #expect(script.node?.noted.updates == (fails ? [] : ["a1", "a2"]))
            let again = script.revise("a2", retrying: contents[1])
            #expect(again.keepsNode == !fails && again.mayLackItsNode)
            #expect(contents.map(\.mayLackItsNode) == [fails, fails])
            script.element.accept(again)
            _ = script.element.prepare(again)
            script.element.show(again, isReconfigured: false)
            #expect(script.node?.noted.text == "a2" && !again.mayLackItsNode)
        }
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
        script.reconfigure("a10")
        #expect(script.node === node && node.noted.text == "a10", "and those after it")
    }

    // MARK: Release

    /// A node stays while a content is on its way; another is made of the content's own model, and takes later
    /// ones.
    @Test(arguments: [true, false])
    func aNodeIsReleasedWhenNothingIsOnItsWay(_ replacesNode: Bool) throws {
        let book = NodeBook()
        let surroundings = ElementSurroundings(Traits(), releasesNodes: true)
        let element = ProvidedElement(
            model: "text",
            provider: { try book.makeNode("text") },
            terms: ElementTerms(sizeRange: .width(10), surroundings: surroundings)
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
        #expect(!element.releaseNode(showing: first), "it is yet to be measured")
        #expect(next.knownSize == first.size && next.size == nil)
        _ = element.prepare(next)
        #expect(!element.releaseNode(showing: first), "it is yet to be shown")
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

    /// What came first, and what shows the same by the same node.
    @Test func onlyWhatShowsWhatWasShownMayBePutOff() {
        var script = ElementScript("a")
        let contents = [
            script.contents[0], script.revise("b"), script.revise("a", keepsNode: true),
        ]
        #expect(contents.map(\.mayBePutOff) == [true, false, true])
        #expect(contents.map(\.mayReplaceNode) == [false, true, false])
        let answers = contents.map { $0.noteAsked() } + contents.map { $0.noteAsked() }
        #expect(answers == [true, true, true, false, false, false], "each by itself, and once")
    }

    // MARK: Traits

    @Test func traitsThatChangeWhileANodeIsToldAreToldAsWell() {
        let surroundings = ElementSurroundings(Traits(textScale: 0))
        let node = DiaryNode("a")
        node.onTraits { scale in
            guard scale < 2 else { return }
            _ = surroundings.traits.replace(with: Traits(textScale: scale + 1))
        }
        let element = ProvidedElement(
            model: "a",
            provider: { node },
            terms: ElementTerms(sizeRange: .unconstrained, surroundings: surroundings)
        )
        _ = element.prepare(element.content)
        #expect(node.noted.told == [0, 1, 2] && element.nodeIfAllocated === node)
        #expect(element.isMeasuredWithCurrentTraits(element.content))
        let traits = surroundings.traits
        #expect(!traits.replace(with: Traits(textScale: 2)) && traits.generation == 2)
    }

    /// Asking a node about a model may take long, and the traits change meanwhile: it is measured with those that it
    /// was told, which may be older.
    @Test(arguments: [true, false])
    func aNodeIsMeasuredWithTheTraitsThatItWasTold(_ isTold: Bool) {
        var script = prepared("a")
        let content = script.revise("a1")
        script.element.accept(content)
        script.node?.onAccept { [script] _ in
            let next = Traits(textScale: script.traits + 1)
            if isTold {
                script.changeTraits()
            } else {
                _ = script.surroundings.traits.replace(with: next)
            }
            return true
        }
        _ = script.element.prepare(content)
        script.node?.onAccept(nil)
        #expect(script.element.isMeasuredWithCurrentTraits(content) == isTold)
        #expect(script.node?.noted.told == (isTold ? [0, 1] : [0]))
    }

    /// A node that is on its way is told, and another takes its place meanwhile.
    @Test func tellingTraitsDoesNotBringAnOlderNodeBack() {
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
        #expect(script.nodes.count == 3, "the third revision is one for the second's node")
        for content in contents { script.element.show(content, isReconfigured: true) }
        #expect(script.node?.noted.text == "c1")
    }
}
