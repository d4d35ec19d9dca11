import PipelineTrace
import SimulatedView

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
            sentence: "A section's context, which it was inserted with, may say how large its items"
                + " are, how far apart, and how far from the edges; it goes where the section goes.",
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

/// A section context with metrics of its section.
private final class MetricsContext: SectionMetricsProviding {
    let sectionMetrics: SectionMetrics

    init(_ metrics: SectionMetrics) { sectionMetrics = metrics }
}
