import PipelineTrace

/// One layout, or one thing that a layout does, with its pictures.
struct GalleryEntry {
    /// In links and in the names of files: small letters and hyphens.
    let name: String
    let title: String
    /// What there is to see, in a sentence.
    let sentence: String
    let figures: [GalleryFigure]
}

/// A picture and what stands below it.
struct GalleryFigure {
    /// Different for every figure of an entry.
    let name: String
    let caption: String
    private let svg: (PictureStyle) -> String

    init(_ name: String, _ picture: LayoutPicture, _ caption: String) {
        self.name = name
        self.caption = caption
        svg = picture.svg
    }

    init(_ name: String, _ picture: UpdatePicture, _ caption: String) {
        self.name = name
        self.caption = caption
        svg = picture.svg
    }

    /// The picture.
    ///
    /// - Parameter fileName: what the names in the picture begin with, so that a page may have it beside
    ///   others.
    func svg(named fileName: String) -> String {
        var style = PictureStyle()
        style.scale = 1.2
        style.namePrefix = fileName
        return svg(style)
    }
}
