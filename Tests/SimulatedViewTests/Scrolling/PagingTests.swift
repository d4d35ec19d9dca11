import PipelineTestSupport
import SimulatedView
import Testing

/// A view that is leafed through: pages of 100 × 30, two of a section of its own.
@Suite("Leafing")
struct PagingTests {
    private func pages(_ direction: ScrollDirection = .horizontal) throws -> Bench<PagerLayout> {
        let layout = PagerLayout()
        layout.scrollDirection = direction
        let bench = try Bench([["a", "b"], [], ["c", "d", "e"]], layout)
        bench.load()
        return bench
    }

    private func shown(_ bench: Bench<PagerLayout>) -> [ItemPath] {
        bench.settle()
        return bench.view.visibleCells.compactMap { $0.attributes?.indexPath }
    }

    @Test(arguments: ScrollDirection.allCases)
    func aPageIsScrolledToByItsNumber(_ direction: ScrollDirection) throws {
        let bench = try pages(direction)
        #expect(bench.view.currentPage == 0)
        try bench.view.scrollToPage(at: 3)
        #expect(bench.view.currentPage == 3)
        #expect(shown(bench) == [ItemPath(section: 2, item: 1)])
        try bench.view.scrollToPage(at: 1)
        #expect(shown(bench) == [ItemPath(section: 0, item: 1)])
        try bench.view.scrollToPage(at: 4)
        #expect(bench.view.currentPage == 4)
    }

    @Test func fromRightToLeftTheFirstPageIsAtTheRight() throws {
        let bench = try pages()
        bench.view.isRightToLeft = true
        bench.settle()
        try bench.view.scrollToPage(at: 0)
        #expect(bench.view.contentOffset.x == 400 && bench.view.currentPage == 0)
        try bench.view.scrollToPage(at: 4)
        #expect(bench.view.contentOffset.x == 0 && bench.view.currentPage == 4)
    }

    @Test(arguments: [-1, 5, .min, .max])
    func aPageThatDoesNotExistIsAnErrorAndNothingHappens(_ number: Int) throws {
        let bench = try pages()
        try bench.view.scrollToPage(at: 2)
        let error = #expect(throws: ViewError.self) { try bench.view.scrollToPage(at: number) }
        #expect(error?.code == .noSuchPath)
        #expect(error?.message == "there is no page \(number) among 5")
        #expect(bench.view.currentPage == 2)
    }

    @Test func pagesAreThereAsSoonAsTheyAreAskedFor() throws {
        let asked = try Bench([["a", "b", "c"]], PagerLayout())
        #expect(asked.view.currentPage == 0)
        let scrolled = try Bench([["a", "b", "c"]], PagerLayout())
        try scrolled.view.scrollToPage(at: 2)
        #expect(scrolled.view.contentOffset.x == 200)
    }

    @Test func unlessItIsToTakeTimeAPageIsTurnedAtOnce() throws {
        let bench = try Bench([["a", "b", "c"]], PagerLayout(), clock: ManualClock())
        bench.load()
        try bench.view.scrollToPage(at: 1)
        #expect(bench.view.contentOffset.x == 100 && !bench.view.isScrollAnimating)
    }

    @Test func whereTheLayoutIsNoPagerThereAreNoPages() throws {
        let bench = try Bench([["a"]], ListLayout())
        bench.load()
        #expect(bench.view.currentPage == nil)
        let error = #expect(throws: ViewError.self) { try bench.view.scrollToPage(at: 0) }
        #expect(error?.message == "there is no page 0 where the layout is no pager")
    }
}
