import PipelineTestSupport
import SimulatedView
import Testing

/// Answers nothing.
private final class Silent: CollectionViewDelegate {}

@Suite("What goes without saying")
struct DefaultAnswersTests {
    @Test func aDelegateWithoutAnOpinionAllowsEveryTouchAndEveryTarget() throws {
        let bench = try Bench([texts(9)])
        let delegate = Silent()
        bench.view.delegate = delegate
        bench.view.allowsMultipleSelection = true
        bench.load()
        let path = ItemPath(0, 1)
        bench.view.tapItem(at: path)
        #expect(bench.view.indexPathsForSelectedItems == [path])
        bench.view.tapItem(at: path)
        #expect(bench.view.indexPathsForSelectedItems == [])
        #expect(
            bench.log("should") == [
                "shouldHighlight 0 - 1: true", "shouldSelect 0 - 1: true",
                "shouldHighlight 0 - 1: true", "shouldDeselect 0 - 1: true",
            ]
        )
        bench.layout.target = { _ in Point(x: 0, y: 40) }
        try bench.update { _, changes in changes.reloadItems(at: [path]) }
        #expect(bench.view.contentOffset == Point(x: 0, y: 40))
    }

    @Test func aNewCellIsNeitherSelectedNorHighlightedAndNowhere() {
        let cell = CollectionViewCell()
        #expect(!cell.isSelected && !cell.isHighlighted)
        #expect(cell.frame == .zero && cell.attributes == nil && cell.reuseIdentifier == "")
        #expect(cell.element == nil && cell.content == nil)
    }
}
