import CollectionLayouts
import Testing

@testable import SimulatedView

/// The states of one end, as a value.
@Suite("Progress of a fetch")
struct FetchProgressTests {
    /// Content is known by its number of items; its size is the same unless a test says otherwise.
    private static func mark(_ count: Int, height: Double = 1) -> FetchProgress.Mark {
        FetchProgress.Mark(numberOfItems: count, size: Size(width: 1, height: height))
    }

    /// One end, as a reference, so that what changes it can be expected.
    private final class End {
        var progress = FetchProgress()

        init() {}

        /// After a fetch that began with one item.
        init(_ ending: BatchFetchEnding) {
            progress.began(1, mark(1))
            progress.ended(ending)
        }

        init(copying other: End) { progress = other.progress }

        func isReady(_ count: Int, height: Double = 1, isNear: Bool = true) -> Bool {
            progress.isReady(mark(count, height: height), isNear: isNear)
        }
    }

    @Test func oneIsAskedAtATime() {
        let end = End()
        #expect(end.progress.fetch == nil)
        #expect(end.isReady(1))
        end.progress.began(7, Self.mark(1))
        #expect(end.progress.fetch == 7)
        #expect(!end.isReady(2))
        end.progress.retry()
        #expect(end.progress.fetch == 7, "a second try waits for the first")
    }

    @Test func whatArrivedIsFollowedByMore() {
        let end = End(.fetched)
        #expect(end.progress.fetch == nil)
        #expect(end.isReady(2))
        #expect(end.isReady(2))
    }

    @Test func anotherSizeIsAnotherContent() {
        let end = End(.fetched)
        #expect(end.isReady(1, height: 2))
    }

    @Test func whoBroughtNothingRests() {
        for ending in [BatchFetchEnding.fetched, .failed, .cancelled, .abandoned] {
            let end = End(ending)
            #expect(!end.isReady(1), "\(ending)")
            #expect(!end.isReady(1), "\(ending)")
            var other = End(copying: end)
            #expect(other.isReady(2), "\(ending): other content")
            other = End(copying: end)
            #expect(other.isReady(1, isNear: false), "\(ending): the reader has left")
            #expect(other.isReady(1), "\(ending): and is back")
            other = End(copying: end)
            other.progress.retry()
            #expect(other.isReady(1), "\(ending): another try")
        }
    }

    /// What arrives beside it is no reason to try again at once.
    @Test func whoFailedRestsWhateverArrivedMeanwhile() {
        for ending in [BatchFetchEnding.failed, .cancelled, .abandoned] {
            let end = End(ending)
            #expect(!end.isReady(2), "\(ending)")
            #expect(end.isReady(3), "\(ending)")
        }
    }

    @Test func whereThereIsNothingMoreNobodyIsAskedUnlessSomebodySaysSo() {
        let end = End(.exhausted)
        #expect(!end.isReady(2))
        #expect(!end.isReady(2, isNear: false))
        end.progress.retry()
        #expect(end.isReady(2))
    }

    @Test func whatIsNotUnderWayCannotEnd() {
        let end = End()
        end.progress.ended(.exhausted)
        #expect(end.isReady(1))
    }
}
