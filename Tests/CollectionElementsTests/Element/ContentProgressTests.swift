import TestSupport
import Testing

@testable import CollectionElements

/// Everything that can happen to a content, in every order, up to a length.
@Suite("The progress of a content")
struct ContentProgressTests {
    private static let range = SizeRange.width(10)
    private static let estimate = Size(width: 1, height: 2)

    private static func size(_ number: Int) -> Size { Size(width: 10, height: Double(number)) }

    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case begins, measuringBegins, measured, measuredElsewhere, measuredFurther
            case skipped, failed, told, asked, released
        }

        var progress = ContentProgress()
        /// What is to be read, by words.
        var text = "pending"
        var (size, traits): (Size?, UInt32?) = (nil, nil)
        var range = ContentProgressTests.range
        var releasedRange = ContentProgressTests.range
        var further: [Int] = []
        var (begun, step) = (0, 0)
        /// Whether somebody wants its size, and it is yet to be prepared.
        var isAsked = false
        var (isTold, isTellingRight, isAskingRight) = (false, true, true)
        /// Whether it has the size of a node that is gone.
        var isReleased = false
        var isReleasingRight = true
        /// Which step failed last.
        var failure: Int?

        mutating func take(_ input: Input) -> Bool {
            step += 1
            let size = ContentProgressTests.size(step)
            switch input {
            case .begins:
                if progress.begun() { (begun, text, isAsked) = (begun + 1, "allocating", false) }
            case .asked:
                let isNews = text == "pending" && !isAsked
                isAskingRight = progress.askedFor() == isNews
                isAsked = isAsked || isNews
            case .measuringBegins:
                progress.measuringBegan(withTraits: UInt32(step))
                if ["allocating", "measured"].contains(text) { traits = UInt32(step) }
            case .measured, .measuredElsewhere:
                let other = input == .measured ? nil : SizeRange.width(Double(step))
                progress.measured(size, in: other)
                guard text == "allocating", traits != nil else { break }
                (text, self.size, range) = ("measured", size, other ?? range)
                isReleased = false
            case .measuredFurther:
                progress.measuredFurther(size, in: .width(Double(step)))
                if text == "measured" { further = (further + [step]).suffix(4) }
            case .skipped:
                progress.skipped()
                guard text == "allocating", traits == nil else { break }
                // What was measured once stays as it was.
                if isReleased { (text, begun) = ("pending", 0) } else { giveUp("skipped") }
            case .failed:
                progress.failed(TestFailure("\(step)"))
                if ["pending", "allocating"].contains(text) { giveUp("failed") }
                // Where it fails again, that is the news.
                if text == "failed" { failure = step }
            case .told:
                // What has a size may fail within another range.
                let mayTell = ["failed", "measured"].contains(text) && !isTold
                isTellingRight = progress.failureTold() == mayTell
                isTold = isTold || mayTell
            case .released:
                isReleasingRight = progress.released() == (text == "measured")
                guard text == "measured" else { break }
                (text, traits, isReleased, begun) = ("pending", nil, true, 0)
                (releasedRange, range) = (range, ContentProgressTests.range)
                (further, isTold) = ([], false)
            }
            return true
        }

        private mutating func giveUp(_ text: String) {
            (self.text, size, isAsked) = (text, ContentProgressTests.estimate, false)
            isReleased = false
        }

        var fault: String? {
            let state = progress.elementState(ContentProgressTests.range)
            if state.text != text { return "\(state.text), not \(text)" }
            if !isTellingRight { return "told" }
            if !isAskingRight || progress.isAsked != isAsked { return "asked" }
            if !isReleasingRight || progress.isReleased != isReleased { return "released" }
            let measuredRange = text == "measured" ? range : isReleased ? releasedRange : nil
            if progress.measuredRange(ContentProgressTests.range) != measuredRange {
                return "measured range"
            }
            if begun > 1 { return "prepared twice" }
            if progress.isPending != (text == "pending") { return "pending" }
            if progress.size(orEstimate: ContentProgressTests.estimate) != size { return "size" }
            if case .measured(let range) = state, range != self.range { return "range" }
            if (progress.error as? TestFailure) != failure.map({ TestFailure("\($0)") }) {
                return "error"
            }
            for number in 1...max(1, step) {
                let found = progress.furtherSize(in: .width(Double(number)))
                let expected = further.contains(number) ? ContentProgressTests.size(number) : nil
                if found != expected { return "further size \(number)" }
            }
            for generation in 0...UInt32(step) {
                let isRight =
                    switch text {
                    case "skipped", "failed": false
                    default: traits.map { $0 == generation } ?? true
                    }
                if progress.isMeasured(withTraits: generation) != isRight { return "traits" }
            }
            return nil
        }
    }

    @Test func aContentIsPreparedOnceAndKeepsItsSize() {
        let walked = walk(Run(), length: Effort.number(6, usually: 5))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
    }
}
