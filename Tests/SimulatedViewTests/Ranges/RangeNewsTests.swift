import Testing

@testable import SimulatedView

@Suite("What is yet to be told of ranges")
struct RangeNewsTests {
    private func text(_ next: RangeNews.Next) -> String {
        switch next {
        case .tell(.mode(let mode, _)): "\(mode)"
        case .tell: "something else"
        case .later: "later"
        case .nothing: "nothing"
        }
    }

    @Test func itIsToldInOrderAndNotWithinATelling() {
        var news = RangeNews()
        for mode in [RangeMode.full, .minimum] { news.add(.mode(mode, from: .full)) }
        let begun = [news.tellingBegan(isPutOff: false), news.tellingBegan(isPutOff: false)]
        #expect(begun == [true, false])
        var told = [text(news.next(mayPutOff: true))]
        news.add(.mode(.lowMemory, from: .full))
        for _ in 0..<3 { told.append(text(news.next(mayPutOff: true))) }
        #expect(told == ["full", "minimum", "lowMemory", "nothing"])
        let again = news.tellingBegan(isPutOff: false)
        #expect(again && text(news.next(mayPutOff: true)) == "nothing")
    }

    /// Each answered by another.
    @Test func fromSoMuchOnTheRestIsPutOff() {
        var news = RangeNews()
        let limit = 128
        for _ in 0..<300 { news.add(.mode(.full, from: .full)) }
        func tell(mayPutOff: Bool = true) -> Int {
            for count in 0..<1000 {
                if case .tell = news.next(mayPutOff: mayPutOff) {} else { return count }
                news.add(.mode(.full, from: .full))
            }
            return .max
        }
        var begun = news.tellingBegan(isPutOff: false)
        #expect(begun && tell() == 300 + limit, "what there was and so many answers")
        begun = news.tellingBegan(isPutOff: false)
        #expect(!begun, "a turn is to go on")
        begun = news.tellingBegan(isPutOff: true)
        #expect(begun && tell() == limit)
        begun = news.tellingBegan(isPutOff: true)
        #expect(begun && tell(mayPutOff: false) == .max, "without a turn it goes on")
        #expect(tell() == 0, "and as soon as there is one, in that")
    }

    @Test func aTurnThatNobodyAskedForTellsNothingTwice() {
        var news = RangeNews()
        news.add(.mode(.full, from: .full))
        let begun = [news.tellingBegan(isPutOff: true), news.tellingBegan(isPutOff: true)]
        #expect(begun == [true, false])
        let told = (0..<2).map { _ in text(news.next(mayPutOff: true)) }
        #expect(told == ["full", "nothing"])
    }
}
