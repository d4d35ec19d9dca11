import CollectionElements

/// What a composed layout keeps about one section; nothing in it depends on where the section is.
struct ComposedSection: LaidOutSection {
    let layout: any SectionLayout
    let itemCount: Int
    let preferred: PreferredSizes
    let arrangement: any SectionArrangement
    /// The arrangement's extent, if it can be used.
    let extent: Double
}
