import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("A data source that is a state")
struct SnapshotDataSourceTests {
    private typealias Source = SnapshotDataSource<ApplyingTests.Rows>

    private let rows = ApplyingTests.rows(("a", [1, 2]), ("b", [3]))

    private func source(
        _ makeNode: (@Sendable (ApplyingTests.Row) throws -> any CollectionNode)?
    ) -> Source {
        let source = Source(makeNode: makeNode)
        source.replace(with: rows, rows.shape)
        return source
    }

    @Test func aProviderMakesANodeOfTheModelThatWasThereWhenItWasAskedFor() throws {
        let book = NodeBook()
        let source = source { TextNode("row \($0.id)", book: book) }
        let providers = [ItemPath(0, 1), ItemPath(1, 0)].map(source.nodeProvider(forItemAt:))
        source.replace(with: ApplyingTests.Rows(), [])
        #expect(try providers.map { try ($0() as? TextNode)?.text } == ["row 2", "row 3"])
    }

    @Test func withoutAFunctionThatMakesNodesAProviderSaysSo() {
        let provider = source(nil).nodeProvider(forItemAt: ItemPath(0, 1))
        #expect(throws: ElementError.modelOnly) { try provider() }
    }
}
