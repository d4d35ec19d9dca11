/// All that there is to see, in the order of the page.
enum Gallery {
    /// Makes every entry again.
    static func entries() async throws -> [GalleryEntry] {
        try await [
            listOfRows(), listUpdates(), animations(),
            justifiedLines(), horizontalLines(), rightToLeft(), pinnedHeaders(),
            columnFlow(), sectionMetrics(), estimatedSizes(), flowUpdates(),
            pages(), ranges(), chat(),
            composedSections(), stickyHeaders(), masonryUpdates(),
            layoutOfYourOwn(),
        ]
    }

    /// What each file is called and what is in it: a page of everything, and every picture by itself.
    static func files() async throws -> [(name: String, content: String)] {
        let entries = try await entries()
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
