import CollectionPipeline
import Testing

@testable import changeset_lint

@Suite struct ScriptedDataSourceTests {
    @Test func requestsAreNumberedFromZeroWhenTheScriptBegins() throws {
        let source = ScriptedDataSource(counts: [1, 2])
        let path = ItemPath(section: 1, item: 0)
        func ask() throws -> (Int?, Int?) {
            let context = source.context(forSection: 1) as? NumberedContext
            let node = try source.nodeProvider(forItemAt: path)() as? NumberedNode
            return (context?.number, node?.number)
        }
        _ = try ask()
        let model = source.model(forItemAt: path) as? Int
        #expect(source.numberOfSections() == 2)
        source.begin([5])
        #expect(source.counts == [5])
        #expect(source.numberOfSections() == 1)
        #expect(source.numberOfItems(inSection: 0) == 5)
        #expect(source.asks == [])
        #expect(try ask() == (0, 0))
        #expect(try ask() == (1, 1))
        #expect(source.asks == ["c1", "b1.0", "c1", "b1.0"])
        // So that what is reconfigured gets a new one.
        #expect(model != nil)
        #expect(source.model(forItemAt: path) as? Int != model)
    }
}
