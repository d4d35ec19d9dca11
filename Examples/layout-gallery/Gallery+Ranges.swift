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
            measuring: .onDemand(1)
        ) {
            $0.rangeController = RangeController()
        }
        await stage.settle()
        var figures = [
            GalleryFigure(
                "top",
                try await stage.picture("Nobody has scrolled"),
                "Ranges are small until somebody scrolls, and nobody has looked at the rest."
            )
        ]
        for (name, offset, caption) in [
            ("forwards", 240.0, "Scrolled down to 240: both ranges reach farther ahead, below."),
            ("further", 480, "Further down, to 480: what is behind keeps its node."),
            ("backwards", 400, "Back up to 400: leading is above now, and trailing below."),
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
                try await stage.picture("Memory is short"),
                "In low memory only what is visible is in a range."
            )
        )
        return GalleryEntry(
            name: "ranges",
            title: "RangeController: what is near",
            sentence:
                "A range controller tells nodes how near to the viewport they are: visible, to be"
                + " displayed, to be preloaded. What lies beyond both ranges is pale. Here only what"
                + " comes into a range gets a node; until then a row has the height that the layout"
                + " takes for it.",
            figures: figures
        )
    }
}
