import PipelineTrace
import SimulatedView

extension Gallery {
    static func ranges() async throws -> GalleryEntry {
        let rows = Texts.sayings + Texts.openings
        let stage = try await GalleryStage(
            ListLayout(),
            [GallerySection("", rows)],
            width: 190,
            height: 90,
            measuring: .onDemand(initialCount: 1)
        ) {
            $0.rangeController = RangeController()
        }
        await stage.settle()
        var figures = [
            GalleryFigure(
                "top",
                try await stage.picture("Before scrolling"),
                "The ranges are small until the first scrolling, and the other rows have no nodes."
            )
        ]
        for (name, offset, caption) in [
            ("forwards", 240.0, "Scrolled down to 240: both ranges extend farther below."),
            ("further", 480, "Scrolled down to 480: rows above the ranges keep their nodes."),
            ("backwards", 400, "Scrolled up to 400: both ranges extend farther above."),
        ] {
            await stage.scroll(y: offset)
            await stage.settle()
            let picture = try await stage.picture("Scrolled to \(Int(offset))")
            figures.append(GalleryFigure(name, picture, caption))
        }
        await stage.withView { $0.rangeController?.memoryPressure = .critical }
        await stage.settle()
        figures.append(
            GalleryFigure(
                "low-memory",
                try await stage.picture("Low memory"),
                "If memory is low, only the visible rows are in a range."
            )
        )
        return GalleryEntry(
            name: "ranges",
            title: "RangeController: ranges around the viewport",
            sentence:
                "A range controller notifies nodes whether they are visible, in the display range"
                + " or in the preload range. Rows outside both ranges are pale. Here a row gets a"
                + " node only when it enters a range. Until then it has the height that the layout"
                + " estimates.",
            figures: figures
        )
    }
}

extension Gallery {
    static func sectionMetrics() async throws -> GalleryEntry {
        let stage = try await GalleryStage(spaced(FlowLayout()), sectionsWithMetrics())
        let picture = try await stage.picture("FlowLayout, sections with metrics")
        let move = try await stage.update("A section moves with its metrics") { changes, sections in
            changes.moveSection(2, toSection: 0)
            sections = [sections[2], sections[0], sections[1]]
        }
        return GalleryEntry(
            name: "flow-metrics",
            title: "FlowLayout: metrics from section contexts",
            sentence: "The context of a section may specify the size of its items, their distance,"
                + " and the insets of the section. It moves together with the section.",
            figures: [
                GalleryFigure(
                    "contexts",
                    picture,
                    "Large items close together, small ones far apart, and a wide inset."
                ),
                GalleryFigure("moved", move, "The third section becomes the first."),
            ]
        )
    }

    private static func sectionsWithMetrics() -> [GallerySection] {
        var (large, small, inset) = (
            GallerySection("Large and close", Array(Texts.europe.prefix(6))),
            GallerySection("Small and far apart", Array(Texts.colours.prefix(8))),
            GallerySection("Within a wide inset", Array(Texts.america.prefix(4)))
        )
        large.context = MetricsContext(
            SectionMetrics(
                itemSize: Size(width: 98, height: 48),
                insets: EdgeInsets(top: 4, left: 4, bottom: 4, right: 4),
                lineSpacing: 3,
                interitemSpacing: 3
            )
        )
        small.context = MetricsContext(
            SectionMetrics(
                itemSize: Size(width: 64, height: 22),
                lineSpacing: 18,
                interitemSpacing: 18
            )
        )
        inset.context = MetricsContext(
            SectionMetrics(insets: EdgeInsets(top: 10, left: 60, bottom: 20, right: 60))
        )
        return [large, small, inset]
    }
}

/// A section context that provides the metrics of its section.
private final class MetricsContext: SectionMetricsProviding {
    let sectionMetrics: SectionMetrics

    init(_ metrics: SectionMetrics) { sectionMetrics = metrics }
}
