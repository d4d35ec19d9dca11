/// All that there is to see, in the order of the page.
enum Gallery {
    /// Makes every entry anew.
    static func entries() throws -> [GalleryEntry] {
        [
            try listOfRows(), try listUpdates(),
            try justifiedLines(), try horizontalLines(), try rightToLeft(), try pinnedHeaders(),
            try columnFlow(), try sectionMetrics(), try estimatedSizes(), try flowUpdates(),
            try pages(),
            try composedSections(), try stickyHeaders(), try masonryUpdates(),
            try layoutOfYourOwn(),
        ]
    }

    /// What each file is called and what is in it: a page of everything, and every picture by itself.
    static func files() throws -> [(name: String, content: String)] {
        let entries = try entries()
        var files = [(name: "index.html", content: GalleryPage(entries).html)]
        for entry in entries {
            for figure in entry.figures {
                let name = "\(entry.name)-\(figure.name)"
                files.append(("\(name).svg", figure.svg(named: name)))
            }
        }
        return files
    }
}
