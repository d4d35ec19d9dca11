import Foundation
import Testing

@testable import layout_gallery

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The gallery in memory.
@Suite struct GalleryTests {
    @Test func everyFileIsWellFormed() throws {
        for file in try Gallery.files() {
            let parser = XMLParser(data: Data(file.content.utf8))
            let isWellFormed = parser.parse()
            #expect(isWellFormed, "\(file.name): \(String(describing: parser.parserError))")
        }
    }

    @Test func thePageHasEveryEntryAndPicture() throws {
        let entries = try Gallery.entries()
        let page = GalleryPage(entries).html
        for entry in entries {
            #expect(page.contains("<section id=\"\(entry.name)\">"))
            #expect(page.contains("<a href=\"#\(entry.name)\">"))
            #expect(!entry.figures.isEmpty)
            for figure in entry.figures {
                #expect(page.contains(figure.svg(named: "\(entry.name)-\(figure.name)")))
            }
        }
        #expect(page.components(separatedBy: "<figure>").count - 1 == figures(entries).count)
    }

    @Test func everyLayoutHasAnEntry() throws {
        let text = try Gallery.entries().map { "\($0.title) \($0.sentence)" }.joined()
        let layouts = [
            "ListLayout", "FlowLayout", "PagerLayout", "ComposedLayout", "MasonrySectionLayout",
            "StickyHeaders", "ColumnFlowLayout",
        ]
        for layout in layouts { #expect(text.contains(layout), "\(layout) is not shown") }
    }

    @Test func namesAreUsedOnce() throws {
        let files = try Gallery.files()
        #expect(Set(files.map(\.name)).count == files.count)
        let page = files[0].content
        let names = page.components(separatedBy: " id=\"").dropFirst().map {
            $0.prefix { $0 != "\"" }
        }
        #expect(names.count > files.count && Set(names).count == names.count)
    }

    @Test func nothingIsLoadedFromElsewhere() throws {
        let page = try Gallery.files()[0].content
        for word in ["<script", "<link", "<img", "src=", "@import", "http://", "https://"] {
            let found = page.replacingOccurrences(
                of: "xmlns=\"http://www.w3.org/2000/svg\"",
                with: ""
            )
            #expect(!found.contains(word), "\(word)")
        }
    }

    @Test func itIsTheSameEveryTime() throws {
        let first = try Gallery.files()
        let second = try Gallery.files()
        #expect(first.map(\.content) == second.map(\.content))
    }

    @Test func nothingIsLeftOutOfThePictures() throws {
        #expect(try Gallery.files().allSatisfy { !$0.content.contains("Left out") })
    }

    @Test func updatesHaveTheirMarks() throws {
        let entries = try Gallery.entries().filter { $0.name.hasSuffix("updates") }
        #expect(entries.map(\.name) == ["list-updates", "flow-updates", "masonry-updates"])
        for entry in entries {
            let text = entry.figures.map { $0.svg(named: "x") }.joined()
            for kind in ["inserted", "deleted", "reloaded", "moved"] {
                #expect(text.contains("class=\"cell \(kind)\""), "\(entry.name): \(kind)")
            }
            #expect(text.contains("class=\"arrow\""))
        }
    }

    private func figures(_ entries: [GalleryEntry]) -> [GalleryFigure] {
        entries.flatMap(\.figures)
    }
}
