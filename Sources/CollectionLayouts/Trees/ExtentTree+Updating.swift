import CollectionChanges

extension ExtentTree {
    /// The sections in their places after an update; those that moved as they were.
    ///
    /// - Parameter fresh: makes a section that came or was replaced, given its new index; called in
    ///   ascending order.
    /// - Complexity: O(k log n) for k edits of sections.
    func placingSections(
        of update: ValidatedChangeSet,
        fresh: (_ newSection: Int) -> Element
    ) -> ExtentTree {
        var sections = self
        var moved: [Int: Element] = [:]
        for edit in update.sectionTakeOuts {
            if edit.role == .move, let target = edit.counterpart {
                moved[target] = sections.element(at: edit.section)
            }
            sections = sections.replacing(edit.section..<(edit.section + 1), with: ExtentTree())
        }
        for edit in update.sectionPutIns {
            let section = moved[edit.section] ?? fresh(edit.section)
            sections = sections.replacing(
                edit.section..<edit.section,
                with: ExtentTree([section])
            )
        }
        return sections
    }

    /// With other elements in place of those that were replaced.
    ///
    /// - Parameters:
    ///   - spans: ascending.
    ///   - fresh: makes the elements that came, given their new indexes.
    /// - Complexity: O(k log n) for k spans, and what is put in.
    func replacing(
        _ spans: [ItemSpan],
        with fresh: (_ newItems: Range<Int>) -> ExtentTree
    ) -> ExtentTree {
        var elements = self
        for span in spans {
            // What comes before is in the new index space already.
            let start = span.new.lowerBound
            elements = elements.replacing(
                start..<(start + span.old.count),
                with: fresh(span.new)
            )
        }
        return elements
    }
}
