import CollectionElements
import CollectionPipeline
import Testing

@Suite("Sections of rows")
struct SectionedRowsTests {
    private typealias Rows = ApplyingTests.Rows

    private let rows = ApplyingTests.rows(("b", [1]), ("a", [3, 2]))

    @Test func sectionsAndRowsStayInTheirOrder() {
        #expect(rows.sectionIDs == ["b", "a"])
        #expect(rows.rows.map { $0.map(\.id) } == [[1], [3, 2]])
        #expect(rows.shape == [1, 2])
    }

    @Test func statesAreEqualWhereSectionsAndRowsAreAndInTheSameOrder() {
        #expect(rows == ApplyingTests.rows(("b", [1]), ("a", [3, 2])))
        let others = [
            ApplyingTests.rows(("c", [1]), ("a", [3, 2])),
            ApplyingTests.rows(("a", [1]), ("b", [3, 2])),
            ApplyingTests.rows(("b", [1]), ("a", [2, 3])),
            ApplyingTests.rows(("b", [1]), ("a", [3])),
            ApplyingTests.rows(("b", [1])),
            Rows(),
        ]
        for other in others { #expect(rows != other) }
    }
}
