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
        #expect(requests.turnCame().map(\.element) == [elements[2], elements[0], elements[1]])
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
        #expect(requests.turnCame().map(\.wish) == [.size, .newSize, .newSize, .newSize])
    }

    @Test func whoAsksAfterTheTurnGetsAnother() {
        let elements = elements(2)
        var requests = LayoutRequests()
        #expect(requests.turnCame().isEmpty)
        for _ in 0..<2 {
            let answers = elements.map { requests.asked($0, .size) }
            #expect(answers == [true, false])
            #expect(requests.turnCame().map(\.element) == elements)
        }
        #expect(requests.turnCame().isEmpty)
    }
}
