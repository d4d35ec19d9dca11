import PipelineTrace

/// The HTML page with all pictures. It is also well-formed XML, loads nothing, and follows the
/// system's dark appearance.
struct GalleryPage {
    let html: String

    init(_ entries: [GalleryEntry]) {
        var html = Self.head
        html += "<nav>\n<ol>\n"
        for entry in entries {
            html += "<li><a href=\"#\(entry.name)\">\(Self.escaped(entry.title))</a></li>\n"
        }
        html += "</ol>\n</nav>\n<main>\n"
        for entry in entries {
            html += "<section id=\"\(entry.name)\">\n<h2>\(Self.escaped(entry.title))</h2>\n"
            html += "<p>\(Self.escaped(entry.sentence))</p>\n<div class=\"figures\">\n"
            for figure in entry.figures {
                html += "<figure>\n\(figure.svg(named: "\(entry.name)-\(figure.name)"))"
                html += "<figcaption>\(Self.escaped(figure.caption))</figcaption>\n</figure>\n"
            }
            html += "</div>\n</section>\n"
        }
        self.html = html + "</main>\n</body>\n</html>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }

    // The rule for `svg` excludes nested ones: their heights define where their texts are clipped.
    private static let head = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>Layout gallery</title>
        <style>
        :root { color-scheme: light dark; --text: #111; --note: #444; --link: #0b5cad;
          --page: #f3f4f5; --card: #fff; --line: #d4d7da; }
        @media (prefers-color-scheme: dark) { :root { --text: #e6e8ea; --note: #b3b9bf;
          --link: #6cb2ff; --page: #0c0e10; --card: #16191d; --line: #39414a; } }
        body { margin: 0 auto; max-width: 76rem; padding: 1rem 1.5rem 4rem; color: var(--text);
          background: var(--page); font: 16px/1.5 system-ui, sans-serif; }
        nav ol { columns: 18rem; padding-left: 1.5rem; }
        section { margin: 2rem 0; padding: 1rem 1.5rem; background: var(--card); border-radius: 8px; }
        h2 { margin: 0; }
        p { margin: .25rem 0 1rem; max-width: 46rem; }
        .figures { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
        figure { margin: 0; max-width: 100%; }
        figure > svg { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); }
        figcaption { margin-top: .25rem; max-width: 34rem; font-size: .875rem; color: var(--note); }
        a { color: var(--link); }
        \(PictureStyle.darkRules)</style>
        </head>
        <body>
        <h1>Layout gallery</h1>
        <p>Every layout of CollectionLayouts on real text. The heavy frame is the viewport;
        elements outside it are pale. In updates, the state before is on the left and the state after
        is on the right; arrows lead from old places to new ones. Point at an element to read its
        frame.</p>

        """
}

/// One layout, or one capability of a layout, with its pictures.
struct GalleryEntry: Sendable {
    /// The name in links and file names: lowercase letters and hyphens.
    let name: String
    let title: String
    /// A description of the pictures.
    let sentence: String
    let figures: [GalleryFigure]
}

/// A picture with its caption.
struct GalleryFigure: Sendable {
    /// The name of the figure, unique in its entry.
    let name: String
    let caption: String
    private let svg: @Sendable (PictureStyle) -> String

    init(_ name: String, _ picture: LayoutPicture, _ caption: String) {
        self.name = name
        self.caption = caption
        svg = { picture.svg(style: $0) }
    }

    init(_ name: String, _ picture: UpdatePicture, _ caption: String) {
        self.name = name
        self.caption = caption
        svg = { picture.svg(style: $0) }
    }

    /// Returns the picture as SVG.
    ///
    /// - Parameter fileName: The prefix of the names in the picture, which makes them unique on a
    ///   page with several pictures.
    func svg(named fileName: String) -> String {
        var style = PictureStyle()
        style.scale = 1.2
        style.namePrefix = fileName
        return svg(style)
    }
}
