import Foundation
import Testing

@testable import layout_gallery

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The gallery in memory.
@Suite struct GalleryTests {
    @Test func everyFileIsWellFormed() async throws {
        for file in try await Gallery.files() {
            let parser = XMLParser(data: Data(file.content.utf8))
            let isWellFormed = parser.parse()
            #expect(isWellFormed, "\(file.name): \(String(describing: parser.parserError))")
        }
    }

    @Test func thePageHasEveryEntryAndPicture() async throws {
        let entries = try await Gallery.entries()
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

    @Test func whatIsMarkupInTextIsEscaped() {
        let entry = GalleryEntry(name: "n", title: "a & <b>", sentence: "c > d;", figures: [])
        let page = GalleryPage([entry]).html
        #expect(page.contains("<a href=\"#n\">a &amp; &lt;b&gt;</a>"))
        #expect(page.contains("<h2>a &amp; &lt;b&gt;</h2>\n<p>c &gt; d;</p>"))
    }

    @Test func everyLayoutHasAnEntry() async throws {
        let text = try await Gallery.entries().map { "\($0.title) \($0.sentence)" }.joined()
        let layouts = [
            "ListLayout", "FlowLayout", "PagerLayout", "ComposedLayout", "MasonrySectionLayout",
            "StickyHeaders", "ColumnFlowLayout",
        ]
        for layout in layouts { #expect(text.contains(layout), "\(layout) is not shown") }
    }

    @Test func namesAreUsedOnce() async throws {
        let files = try await Gallery.files()
        #expect(Set(files.map(\.name)).count == files.count)
        let page = files[0].content
        let names = page.components(separatedBy: " id=\"").dropFirst().map {
            $0.prefix { $0 != "\"" }
        }
        #expect(names.count > files.count && Set(names).count == names.count)
    }

    @Test func nothingIsLoadedFromElsewhere() async throws {
        let page = try await Gallery.files()[0].content
        for word in ["<script", "<link", "<img", "src=", "@import", "http://", "https://"] {
            let found = page.replacingOccurrences(
                of: "xmlns=\"http://www.w3.org/2000/svg\"",
                with: ""
            )
            #expect(!found.contains(word), "\(word)")
        }
    }

    @Test func itIsTheSameEveryTime() async throws {
        let first = try await Gallery.files()
        let second = try await Gallery.files()
        #expect(first.map(\.content) == second.map(\.content))
    }

    @Test func nothingIsLeftOutOfThePictures() async throws {
        #expect(try await Gallery.files().allSatisfy { !$0.content.contains("Left out") })
    }

    @Test func updatesHaveTheirMarks() async throws {
        let entries = try await Gallery.entries().filter { $0.name.hasSuffix("updates") }
        #expect(entries.map(\.name) == ["list-updates", "flow-updates", "masonry-updates"])
        for entry in entries {
            let text = entry.figures.map { $0.svg(named: "x") }.joined()
            for kind in ["inserted", "deleted", "reloaded", "moved"] {
                #expect(text.contains("class=\"cell \(kind)\""), "\(entry.name): \(kind)")
            }
            #expect(text.contains("class=\"arrow\""))
        }
    }

    @Test func leadingAndTrailingChangePlacesWithTheDirection() async throws {
        let entry = try #require(try await Gallery.entries().first { $0.name == "ranges" })
        /// How far each range reaches above the viewport and below it.
        let reaches = try entry.figures.map { figure in
            let svg = figure.svg(named: "x")
            #expect(svg.contains("class=\"cross\""))
            let viewport = try #require(try Self.sides("viewport", of: svg))
            let ranges = try ["display", "preload"].map { try Self.sides("range \($0)", of: svg) }
            return ranges.map { range in
                range.map { [viewport.top - $0.top, $0.bottom - viewport.bottom] } ?? []
            }
        }
        // Lines that would lie upon the viewport's run around it.
        #expect(
            reaches == [
                [[22.5, 22.5], [22.5, 45]],
                [[45, 90], [135, 225]], [[45, 90], [135, 225]], [[90, 45], [225, 135]],
                [[], [6.5, 6.5]],
            ]
        )
    }

    /// Where the first rectangle of a class lies; nil where there is none.
    private static func sides(
        _ name: String,
        of svg: String
    ) throws -> (top: Double, bottom: Double)? {
        let tags = svg.components(separatedBy: "<rect ")
        guard let tag = tags.first(where: { $0.contains("class=\"\(name)\"") }) else { return nil }
        func number(_ attribute: String) throws -> Double {
            let value = tag.components(separatedBy: "\(attribute)=\"")[1]
            return try #require(Double(value.prefix { $0 != "\"" }))
        }
        return (try number("y"), try number("y") + number("height"))
    }

    private func figures(_ entries: [GalleryEntry]) -> [GalleryFigure] {
        entries.flatMap(\.figures)
    }
}
