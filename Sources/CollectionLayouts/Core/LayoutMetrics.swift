/// Answers the questions of any layout about sections and items, where its own properties do not say enough.
///
/// Adopted by what a view has as ``LayoutHost/layoutMetrics``. Both members have defaults, which leave the
/// say to the section's context (``SectionMetricsProviding``), and then to the layout.
///
/// Shape: paths and sections are in the view's index space, of the state that is being prepared; a data
/// source that is ahead of its view has others, to which `DataController.dataSourcePath(for:)` converts. All is
/// asked up front, section by section: its metrics, then the sizes of its items in order. Later only what came
/// or was invalidated is asked for again, with the metrics of its section; where a size may depend on the
/// place, also what moved.
///
/// Threading: called within ``CollectionLayout/prepare()``, on the view's main lane; a call must not lead
/// to another layout pass. Errors: what is no size or distance counts as zero, and is found in
/// ``CollectionLayout/errors``.
///
/// Source: UICollectionViewDelegateFlowLayout and UITableViewDelegate.
public protocol LayoutMetrics: AnyObject {
    /// What holds for a whole section.
    func metrics(ofSection section: Int) -> SectionMetrics

    /// The size of an item, of which a ``ListLayout`` uses the height; nil to leave the say to others, first
    /// of all to ``SectionMetrics/itemSize``.
    ///
    /// Asked for every item, also where the answer is always nil. Sections whose items are all alike are laid out
    /// in O(log n) by layouts whose view has no metrics, with a section context or the layout's own item size.
    func size(ofItemAt path: ItemPath) -> Size?
}

extension LayoutMetrics {
    /// Nothing.
    public func metrics(ofSection section: Int) -> SectionMetrics { SectionMetrics() }

    /// nil.
    public func size(ofItemAt path: ItemPath) -> Size? { nil }
}

extension LayoutHost {
    /// What is said of a section, by who answers for the view and then by the section's context.
    func metrics(ofSection section: Int, by metrics: (any LayoutMetrics)?) -> SectionMetrics {
        let answer = metrics?.metrics(ofSection: section) ?? SectionMetrics()
        return answer.completed(by: context(forSection: section))
    }
}
