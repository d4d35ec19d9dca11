import CollectionElements
import CollectionLayouts

// What there is to lay out, as the layout asks for it.

extension SimulatedCollectionView {
    /// How many sections the view shows; inside a batch of updates still the old number.
    public var numberOfSections: Int {
        requireLane("numberOfSections")
        return content.shape.numberOfSections
    }

    /// How many items a section has in the view; 0 where there is no such section.
    public func numberOfItems(inSection section: Int) -> Int {
        requireLane("numberOfItems(inSection:)")
        return content.numberOfItems(inSection: section)
    }

    /// What the data source attached to a section when it was inserted.
    public func context(forSection section: Int) -> (any SectionContext)? {
        requireLane("context(forSection:)")
        return content.context(forSection: section)
    }

    /// What a layout delegate laid out of what is shown; nil without one. A `PreparedFlow` of other content is reported
    /// in its place, and the layout lays out itself.
    public var preparedLayout: (any Sendable)? {
        requireLane("preparedLayout")
        return content.preparedLayout
    }

    /// The size that the pipeline measured an element with; nil where a data source of views fills
    /// the view.
    public func measuredSize(of place: LayoutPlace) -> Size? {
        requireLane("measuredSize(of:)")
        return content.measuredSize(of: place)
    }
}
