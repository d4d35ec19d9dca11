import PipelineTestSupport
import Testing

@testable import SimulatedView

@Suite("When a view may offer other sizes than before")
struct OfferedSizesTests {
    private let bench: Bench<RowLayout>

    init() throws {
        bench = try Bench([texts(20)])
        bench.load()
    }

    private var mayOffer: Bool { bench.view.source.mayOfferOtherSizes }

    @Test func aLayoutThatIsSetUpOtherwiseMayUntilAPassHasToldSo() {
        #expect(!mayOffer)
        bench.layout.invalidateLayout()
        #expect(mayOffer)
        bench.view.layoutIfNeeded()
        #expect(!mayOffer)
    }

    @Test func whatConcernsAFewOrTheCountsOffersNone() {
        let few = LayoutInvalidationContext()
        few.invalidateItems(at: [ItemPath(0, 1)])
        bench.layout.invalidateLayout(with: few)
        #expect(!mayOffer)
        bench.settle()
        let counts = LayoutInvalidationContext()
        counts.invalidatesDataSourceCounts = true
        bench.layout.invalidateLayout(with: counts)
        #expect(!mayOffer)
    }

    @Test func whatFollowsTheOffsetOffersNone() {
        bench.layout.invalidatesForBounds = true
        bench.view.contentOffset.y = 10
        #expect(bench.log("invalidated") == ["invalidated all"] && !mayOffer)
    }

    @Test func whatFollowsAnUpdateOffersNone() throws {
        var seen: [Bool] = []
        try bench.adapter.performBatchUpdates { [bench] changes in
            bench.layout.onPrepare = { layout in
                layout.onPrepare = { _ in }
                layout.invalidateLayout()
                seen.append(bench.view.source.mayOfferOtherSizes)
            }
            changes.reloadItems(at: [ItemPath(0, 0)])
        }
        #expect(seen == [false])
        bench.settle()
        bench.check()
    }
}
