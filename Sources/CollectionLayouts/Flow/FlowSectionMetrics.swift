/// What a section says of its flow; nil leaves the say to the layout.
public struct FlowSectionMetrics: Hashable, Sendable {
    /// The size of every item.
    public var itemSize: Size?
    /// What is left free around the lines, between header and footer.
    public var inset: EdgeInsets?
    /// The distance of lines.
    public var minimumLineSpacing: Double?
    /// The least distance of items on a line.
    public var minimumInteritemSpacing: Double?
    /// The size of the header, of which only the extent along the scroll direction counts; without
    /// one, there is no header.
    public var headerReferenceSize: Size?
    /// The same for the footer.
    public var footerReferenceSize: Size?

    /// Makes metrics; nothing is checked.
    public init(
        itemSize: Size? = nil,
        inset: EdgeInsets? = nil,
        minimumLineSpacing: Double? = nil,
        minimumInteritemSpacing: Double? = nil,
        headerReferenceSize: Size? = nil,
        footerReferenceSize: Size? = nil
    ) {
        self.itemSize = itemSize
        self.inset = inset
        self.minimumLineSpacing = minimumLineSpacing
        self.minimumInteritemSpacing = minimumInteritemSpacing
        self.headerReferenceSize = headerReferenceSize
        self.footerReferenceSize = footerReferenceSize
    }
}

/// A section context that brings the metrics of its section with it.
///
/// A ``FlowLayout`` reads them when it prepares a section, from the context that the section was inserted
/// with; so it never asks about a section that no longer exists.
public protocol FlowSectionMetricsProviding: SectionContext {
    /// The metrics of the section.
    var flowMetrics: FlowSectionMetrics { get }
}
