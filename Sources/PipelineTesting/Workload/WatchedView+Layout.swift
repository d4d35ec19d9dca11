import CollectionElements
import CollectionLayouts
import SimulatedView

// What was laid out beforehand is what the layout lays out itself.

extension WatchedView {
    /// Lays out from scratch what workers have laid out step by step, and compares. Main lane, at rest.
    func checkPreparedLayout() {
        guard preparesLayout, !nodesAreAskedFor, !plan.sizesItself, !isBehind, isOpen(),
            let layout = shown.collectionViewLayout as? FlowLayout, !shown.bounds.isEmpty
        else { return }
        // What was measured within other ranges since, only the one who asked knows.
        let range = layout.elementSizeRange
        for item in shown.map.items {
            if let other = item.content.measuredRange, other != range { return }
        }
        mark(shown.preparedLayout is PreparedFlow ? "layout prepared" : "layout not prepared")
        guard let fresh = ViewPlan.Layout.flow.make(sizesItself: false) as? FlowLayout else {
            return
        }
        let host = BareHost(shown)
        fresh.attach(to: host)
        fresh.prepare()
        if fresh.collectionViewContentSize != layout.collectionViewContentSize {
            report(
                "the content is \(layout.collectionViewContentSize), but laid out from scratch"
                    + " \(fresh.collectionViewContentSize)"
            )
        }
        for item in shown.map.items {
            let (one, other) = (layout.frame(ofItem: item.path), fresh.frame(ofItem: item.path))
            if one != other {
                report("item \(item.path) is laid out at \(one as Any), not \(other as Any)")
            }
        }
        for section in 0..<shown.numberOfSections
        where layout.frame(ofSection: section) != fresh.frame(ofSection: section) {
            report("section \(section) is laid out elsewhere than from scratch")
        }
    }
}
