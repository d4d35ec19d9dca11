import Testing

@testable import CollectionElements

@Suite("Sums over sections")
struct SectionSummaryTests {
    /// Nothing before and nothing behind change nothing, and of neighbours the last label counts.
    @Test func summariesCombineWithNothingOnBothSides() {
        typealias Sections = ElementMap.SectionSummary
        #expect(Sections.zero.lastLabel == -1)
        for label in [0, 1, 7] {
            let sections = Sections(items: 2, supplementaries: 3, lastLabel: label)
            for both in [sections.combined(with: .zero), Sections.zero.combined(with: sections)] {
                #expect(both.items == 2 && both.supplementaries == 3 && both.lastLabel == label)
            }
        }
    }
}
