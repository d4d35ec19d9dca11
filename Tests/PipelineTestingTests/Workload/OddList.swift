import CollectionLayouts
import PipelineTestSupport
import SimulatedView

/// A list that answers otherwise than it lays out.
final class OddList: ListLayout {
    /// What becomes of the answer to where one item is.
    var one: (LayoutAttributes) -> LayoutAttributes? = { $0 }
    /// What becomes of each that it says to lie in a rectangle.
    var each: (LayoutAttributes) -> LayoutAttributes? = { $0 }
    /// Whether it says that all lies in any rectangle.
    var givesAll = false

    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        super.layoutAttributesForItem(at: path).flatMap(one)
    }

    override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        let all = Rect(x: 0, y: 0, width: 1000, height: 1000)
        return super.layoutAttributesForElements(in: givesAll ? all : rect).compactMap(each)
    }
}

extension WatchedStage {
    /// Has the view take a layout that answers otherwise.
    func takeOddList(_ change: @escaping (OddList) -> Void) {
        onMain { stage in
            let layout = OddList()
            change(layout)
            nonisolated(unsafe) let given = layout
            stage.shown.setCollectionViewLayout(given, animated: false)
        }
    }
}
