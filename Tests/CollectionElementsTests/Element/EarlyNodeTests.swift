import CollectionElements
import TestSupport
import Testing

/// A node that is asked for while contents are on their way, at any moment.
@Suite struct EarlyNodeTests {
    private static let steps = 8

    /// Runs two reconfigurations through, and asks for the node before the step of that number.
    private func textShown(_ first: String, _ second: String, askedBefore moment: Int) throws
        -> String?
    {
        func provider(_ text: String) -> NodeProvider { { LetterNode(text) } }
        let element = ProvidedElement(
            model: "a",
            provider: provider("a"),
            terms: ElementTerms(
                sizeRange: .unconstrained,
                surroundings: ElementSurroundings(Traits())
            )
        )
        let contents =
            [element.firstContent]
            + [first, second].map { text in
                ElementContent(
                    revising: element,
                    model: text,
                    sizeRange: .unconstrained,
                    provider: provider(text)
                )
            }
        let steps: [() -> Void] = [
            { element.accept(contents[1]) }, { element.accept(contents[2]) },
            { _ = element.prepare(contents[0]) }, { _ = element.prepare(contents[1]) },
            { element.show(contents[1], isReconfigured: true) },
            { _ = element.prepare(contents[2]) },
            { element.show(contents[2], isReconfigured: true) },
        ]
        for (number, step) in steps.enumerated() {
            if number == moment { _ = try element.waitForNode() }
            step()
        }
        return (element.nodeIfAllocated as? LetterNode)?.text
    }

    @Test(arguments: ["a+", "b"], ["a++", "b+", "c"])
    func theLastModelIsShownInTheEnd(_ first: String, _ second: String) throws {
        for moment in 0..<Self.steps {
            let text = try textShown(first, second, askedBefore: moment)
            #expect(text == second, "asked before step \(moment)")
        }
    }
}
