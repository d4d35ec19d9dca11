/// A state that digests are taken of: sections in order, each with items in order.
///
/// `CollectionSnapshot` is one. Conform a model of your own to compare it with a replica:
///
/// ```swift
/// extension Board: DigestedState {
///     var numberOfSections: Int { columns.count }
///     func numberOfItems(inSection section: Int) -> Int { columns[section].cards.count }
///     func digest(ofSection section: Int) -> ElementDigest { ElementDigest(section: columns[section].id) }
///     func forEachItemDigest(
///         in range: Range<Int>, ofSection section: Int, _ body: (ElementDigest) -> Void
///     ) {
///         for card in columns[section].cards[range] {
///             body(ElementDigest(item: card.id, revision: card.revision))
///         }
///     }
/// }
/// ```
///
/// Shape: sections and items from 0; nothing else is asked for than is there.
public protocol DigestedState {
    /// How many sections there are.
    var numberOfSections: Int { get }

    /// How many items a section has.
    func numberOfItems(inSection section: Int) -> Int

    /// The digest of a section, whatever is in it.
    func digest(ofSection section: Int) -> ElementDigest

    /// Calls `body` with the digests of some neighbours in a section, in order.
    ///
    /// - Parameters:
    ///   - range: their indexes in the section; empty or not, within its items.
    ///   - section: the section's index.
    ///   - body: called once for each, inline.
    func forEachItemDigest(
        in range: Range<Int>,
        ofSection section: Int,
        _ body: (ElementDigest) -> Void
    )
}
