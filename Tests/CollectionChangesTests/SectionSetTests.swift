import CollectionChanges
import Testing

@Suite struct SectionSetTests {
    @Test func neighboursMeltIntoOneRun() {
        var sections: SectionSet = [4, 1, 2]
        sections.insert(contentsOf: 7...9)
        #expect(sections.runs == [1...2, 4...4, 7...9])
        sections.insert(3)
        #expect(sections.runs == [1...4, 7...9])
        #expect(Array(sections) == [1, 2, 3, 4, 7, 8, 9])
    }
}
