import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Who wants to be measured again")
struct LayoutRequestsTests {
    private func elements(_ count: Int) -> [CollectionElement] {
        let terms = ElementTerms(
            sizeRange: .unconstrained,
            surroundings: ElementSurroundings(Traits())
        )
        return (0..<count).map { _ in
            ProvidedElement(model: nil, provider: nil, terms: terms)
        }
    }

    @Test func oneTurnIsAskedForAndHasEveryoneOnceInTheirOrder() {
        let elements = elements(3)
        var requests = LayoutRequests()
        let answers = [2, 0, 2, 1].map { requests.asked(elements[$0], .newSize) }
        #expect(answers == [true, false, false, false])
        let asked = requests.turnCame()
        #expect(asked.elements.map(\.element) == [elements[2], elements[0], elements[1]])
        #expect(!asked.isForAll)
    }

    @Test func whoWantsAnotherSizeIsNotContentWithAny() {
        let elements = elements(4)
        var requests = LayoutRequests()
        for (index, wish) in [
            (0, LayoutRequests.Wish.size), (1, .newSize), (2, .size), (3, .newSize),
        ] {
            _ = requests.asked(elements[index], wish)
        }
        for (index, wish) in [(2, LayoutRequests.Wish.newSize), (3, .size)] {
            let isFirst = requests.asked(elements[index], wish)
            #expect(!isFirst)
        }
        #expect(requests.turnCame().elements.map(\.wish) == [.size, .newSize, .newSize, .newSize])
    }

    @Test func whatConcernsAllComesInTheSameTurn() {
        let element = elements(1)[0]
        for asksFirst in [true, false] {
            var requests = LayoutRequests()
            let answers =
                asksFirst
                ? [requests.askedForAll(), requests.asked(element, .size)]
                : [requests.asked(element, .size), requests.askedForAll()]
            #expect(answers == [true, false])
            let isAskedAgain = requests.askedForAll()
            #expect(!isAskedAgain)
            let asked = requests.turnCame()
            #expect(asked.isForAll && asked.elements.map(\.element) == [element])
            #expect(!requests.turnCame().isForAll)
            let isFirst = requests.askedForAll()
            #expect(isFirst)
        }
    }

    @Test func whoAsksAfterTheTurnGetsAnother() {
        let elements = elements(2)
        var requests = LayoutRequests()
        #expect(requests.turnCame().elements.isEmpty)
        for _ in 0..<2 {
            let answers = elements.map { requests.asked($0, .size) }
            #expect(answers == [true, false])
            #expect(requests.turnCame().elements.map(\.element) == elements)
        }
        #expect(requests.turnCame().elements.isEmpty)
    }
}
