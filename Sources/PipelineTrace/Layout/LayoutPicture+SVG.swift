extension LayoutPicture {
    /// The picture as an SVG document without an XML declaration, so that it may be a file as well as
    /// a part of a page.
    ///
    /// The same picture gives the same bytes everywhere. The viewport is outlined, and what is beyond it is
    /// pale; elements that are in front are drawn in front, with their transforms and opacities; what
    /// cannot be drawn, or is hidden, is left out and counted below. Ranges are outlined too, where there are any,
    /// and what is in them is not pale; an element shows how near it is, and is crossed out while it has no
    /// node. Nothing depends on colours alone.
    ///
    /// Errors: none, and nothing traps; any text and any number may be in it.
    ///
    /// Complexity: O(n log n) for n elements, and the text that is seen of them.
    public func svg(style: PictureStyle = PictureStyle()) -> String {
        PictureSheet(title: title, panels: [PicturePanel(self)], arrows: [], style: style).svg()
    }
}
