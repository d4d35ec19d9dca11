import CollectionPipeline

/// One row that a simulated list shows.
public struct VisibleRow: Sendable {
    /// Where it is, in view space.
    public let position: ElementPlace

    /// What it shows.
    public let element: CollectionElement

    /// The revision that it shows.
    public let content: ElementContent

    /// The distance of its top edge from the top of the viewport; negative where it is cut off.
    public let y: Double

    /// Its height.
    public let height: Double
}
