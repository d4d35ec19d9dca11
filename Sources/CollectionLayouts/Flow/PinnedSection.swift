/// Where the header and footer of a section are held while it scrolls by: positions along the scroll
/// direction that ascend from the first section to the last.
///
/// Source: UICollectionViewFlowLayout, rule by rule.
struct PinnedSection {
    let start: Double
    let end: Double
    let headerExtent: Double
    let footerExtent: Double

    /// Where the header begins: not before the visible interval does, and with the footer behind it still
    /// in the section.
    func headerStart(at natural: Double, visibleFrom visible: Double) -> Double {
        min(max(natural, visible), end - footerExtent - headerExtent)
    }

    /// Where the footer begins: in the visible interval to its end, and behind the header.
    func footerStart(at natural: Double, visibleTo visible: Double) -> Double {
        max(min(natural, visible - footerExtent), start + headerExtent)
    }
}
