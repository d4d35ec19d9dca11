import TestSupport
import Testing

@testable import CollectionElements

@Suite("Which traits nodes are told")
struct ElementTraitsTests {
    private func prepared(_ text: String) -> ElementScript {
        let script = ElementScript(text)
        _ = script.element.prepare(script.contents[0])
        return script
    }

    @Test func aNodeIsToldEachTraitsOnce() {
        var script = prepared("a")
        for _ in 0..<3 { script.element.refreshTraits() }
        script.changeTraits()
        for _ in 0..<3 { script.element.refreshTraits() }
        #expect(script.node?.noted.told == [0, 1])
        let content = script.revise("b")
        script.element.accept(content)
        _ = script.element.prepare(content)
        script.changeTraits()
        for _ in 0..<3 { script.element.refreshTraits() }
        script.element.show(content, isReconfigured: true)
        for _ in 0..<3 { script.element.refreshTraits() }
        #expect(script.nodes.values.map(\.noted.told) == [[0, 1, 2], [1, 2]])
    }

    /// A node made where the traits have changed before knows them from the beginning.
    @Test func aNodeThatIsMadeLaterIsToldTheTraitsOfThenOnly() {
        let script = ElementScript("a")
        script.changeTraits()
        script.changeTraits()
        _ = script.element.prepare(script.contents[0])
        #expect(script.element.isMeasuredWithCurrentTraits(script.contents[0]))
        script.element.refreshTraits()
        #expect(script.node?.noted.told == [2])
    }

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
        guard case .measured = element.prepare(element.content) else {
            Issue.record("the element must be measured")
            return
        }
        #expect(node.noted.told == [0, 1, 2] && element.nodeIfAllocated === node)
        #expect(element.isMeasuredWithCurrentTraits(element.content))
    }

    /// While the provider runs the node will have the traits of then, whatever they are by now.
    @Test func whatIsAboutToBeMeasuredWillHaveTheTraitsOfNow() {
        let surroundings = ElementSurroundings(Traits(textScale: 0))
        let answers = Journal<Bool>()
        let asked = Lock<CollectionElement?>(nil)
        let element = ProvidedElement(
            model: "a",
            provider: {
                _ = surroundings.traits.replace(with: Traits(textScale: 1))
                if let element = asked.withLock({ $0 }) {
                    answers.append(element.isMeasuredWithCurrentTraits(element.content))
                }
                return DiaryNode("a")
            },
            terms: ElementTerms(sizeRange: .unconstrained, surroundings: surroundings)
        )
        #expect(element.isMeasuredWithCurrentTraits(element.content), "nobody has begun")
        asked.withLock { $0 = element }
        _ = element.prepare(element.content)
        asked.withLock { $0 = nil }
        #expect(answers.values == [true])
    }

    /// Asking a node about a model may take long, and the traits change meanwhile.
    @Test func aNodeThatIsToldTraitsWhileItIsAskedIsMeasuredWithThose() {
        var script = prepared("a")
        let content = script.revise("a1")
        script.element.accept(content)
        script.node?.onAccept { [script] _ in
            script.changeTraits()
            return true
        }
        _ = script.element.prepare(content)
        script.node?.onAccept(nil)
        #expect(script.element.isMeasuredWithCurrentTraits(content))
        #expect(script.node?.noted.told == [0, 1])
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
