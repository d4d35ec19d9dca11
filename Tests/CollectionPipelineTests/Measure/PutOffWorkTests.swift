import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("What is measured later")
struct PutOffWorkTests {
    /// So many elements, each with its number as a model, from `first` on.
    private func plan(_ count: Int, from first: Int = 0, grain: Int = 64) -> PreparationPlan {
        let terms = ElementTerms(
            sizeRange: .unconstrained,
            surroundings: ElementSurroundings(Traits())
        )
        var work = PreparationWork()
        work.singles = (first..<(first + count)).map { number in
            let element = ProvidedElement(model: number, provider: nil, terms: terms)
            return (ItemPath(section: 0, item: number), element.firstContent)
        }
        return PreparationPlan(work, grain: grain)
    }

    private func numbers(_ contents: [ElementContent]) -> [Int] {
        contents.compactMap { $0.model as? Int }
    }

    @Test func nothingIsDueWhereNothingIsPutOff() {
        var work = PutOffWork()
        work.add(plan(0))
        let isDue = work.needsTurn(isPreparing: false)
        #expect(!isDue && work.isEmpty)
        #expect(work.turnCame().isEmpty)
    }

    @Test func itWaitsForAllElseAndForItsOwnTurns() {
        var work = PutOffWork()
        work.add(plan(1))
        let asked = [true, false, false].map { work.needsTurn(isPreparing: $0) }
        #expect(asked == [false, true, false], "one turn at a time")
        #expect(numbers(work.turnCame()) == [0] && work.isEmpty)
        work.add(plan(1))
        var isDue = work.needsTurn(isPreparing: false)
        #expect(!isDue, "what came of the turn is under way")
        work.turnEnded()
        isDue = work.needsTurn(isPreparing: false)
        #expect(isDue)
    }

    @Test func aTurnHasAStretchOfTheNewest() {
        var work = PutOffWork()
        work.add(plan(1100))
        work.add(plan(10, from: 5000))
        let turns = (0..<4).map { _ in numbers(work.turnCame()) }
        #expect(turns[0] == Array(5000..<5010) + Array(0..<512))
        #expect(turns[1] == Array(512..<1024))
        #expect(turns[2] == Array(1024..<1100) && turns[3].isEmpty && work.isEmpty)
    }

    @Test func partsAreTakenAsAWhole() {
        var work = PutOffWork()
        work.add(plan(1000, grain: 500))
        #expect(work.turnCame().count == 1000)
        work.add(plan(3))
        work.removeAll()
        #expect(work.isEmpty && work.turnCame().isEmpty)
    }
}
