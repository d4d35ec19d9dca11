import CollectionElements
import CollectionLayouts
import SimulatedView

// What was measured and laid out beforehand is what the layout would have measured, and lays out itself.

extension WatchedView {
    /// Whatever is measured was measured for the sizes that the view offers now. Main lane, at rest.
    func checkMeasuredRanges() {
        // Without extent the view offers nothing, where counts differ nobody can be asked, and a view that has lost
        // everything has nobody to ask.
        guard expectsMeasured || preparesLayout, isOpen(), countsAgree(), !isBehind,
            !shown.bounds.isEmpty, let visible = visibleMap()
        else { return }
        let offered = shown.elementSizeRange
        let chosen = preparesLayout ? FlowLayoutDelegate(shown).sizeRanges(for: visible) : nil
        let wrong = placedElements.filter { place, content in
            guard let place = place.elementPlace, let range = content.measuredRange else {
                return false
            }
            return range != chosen?(place) ?? offered
        }.map(\.place)
        guard !wrong.isEmpty else { return }
        report("measured for other sizes than the view offers at rest: \(wrong)")
    }

    /// Lays out from scratch what workers have laid out step by step, and compares. Main lane, at rest.
    func checkPreparedLayout() {
        // Where counts differ, what sets measured within other ranges since, only the one who asked knows.
        guard preparesLayout, !nodesAreAskedFor, !plan.sizesItself, !isBehind, isOpen(),
            countsAgree(), let layout = shown.collectionViewLayout as? FlowLayout,
            !shown.bounds.isEmpty
        else { return }
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
