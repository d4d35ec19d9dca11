import CollectionChanges

/// An update that is under way, and where views were before it.
struct UpdateUnderWay {
    let update: ValidatedChangeSet

    /// The attributes of a view before the update, given its place then.
    let attributesBefore: (_ oldPlace: LayoutPlace) -> LayoutAttributes?
}
