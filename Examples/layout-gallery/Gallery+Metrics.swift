import CollectionLayouts
import PipelineTrace

extension Gallery {
    static func sectionMetrics() throws -> GalleryEntry {
        let stage = GalleryStage(spaced(FlowLayout()), sectionsWithMetrics())
        let picture = try stage.picture("FlowLayout, sections with metrics")
        let update = try stage.update("A section moves with its metrics") { changes, sections in
            changes.moveSection(2, to: 0)
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
                GalleryFigure("moved", update, "The third section becomes the first."),
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
            FlowSectionMetrics(
                itemSize: Size(width: 98, height: 48),
                inset: EdgeInsets(top: 4, left: 4, bottom: 4, right: 4),
                minimumLineSpacing: 3,
                minimumInteritemSpacing: 3
            )
        )
        small.context = MetricsContext(
            FlowSectionMetrics(
                itemSize: Size(width: 64, height: 22),
                minimumLineSpacing: 18,
                minimumInteritemSpacing: 18
            )
        )
        inset.context = MetricsContext(
            FlowSectionMetrics(inset: EdgeInsets(top: 10, left: 60, bottom: 20, right: 60))
        )
        return [large, small, inset]
    }
}

/// A section context with metrics of its section.
private final class MetricsContext: FlowSectionMetricsProviding {
    let flowMetrics: FlowSectionMetrics

    init(_ metrics: FlowSectionMetrics) { flowMetrics = metrics }
}
