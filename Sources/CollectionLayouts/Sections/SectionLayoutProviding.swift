import CollectionElements

/// A section context that brings the layout of its section, wherever the section moves.
public protocol SectionLayoutProviding: SectionContext {
    /// How the section is laid out; asked for when the section is prepared for the first time, and
    /// again when everything is invalidated.
    var sectionLayout: any SectionLayout { get }
}
