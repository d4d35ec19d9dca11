import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Registering by kind")
struct RegisteringByKindTests {
    private final class OtherHeader: CollectionReusableView {}

    @Test func aViewKnowsTheNameOfItsClassAlsoWhenItIsUsedAgain() throws {
        let bench = try Bench([texts(20), texts(20)])
        bench.layout.headerHeight = 4
        bench.load()
        for _ in 0..<8 {
            for view in bench.view.visibleViews {
                #expect(view.reuseIdentifier == (view is TextCell ? "row" : "header"))
            }
            bench.view.scroll(by: 55)
            bench.settle()
        }
    }

    @Test func nilUnregistersOneKindAndNoOther() throws {
        let view = try Bench([texts(2)]).view
        func dequeue(_ kind: SupplementaryKind) -> ViewError.Code? {
            do throws(ViewError) {
                _ = try view.dequeueReusableSupplementaryView(
                    ofKind: kind,
                    withReuseIdentifier: "header",
                    for: ItemPath(0, 0)
                )
                return nil
            } catch { return error.code }
        }
        #expect([dequeue(.header), dequeue(.footer)] == [nil, nil])
        try view.register(
            nil,
            forSupplementaryViewOfKind: .header,
            withReuseIdentifier: "header"
        )
        #expect([dequeue(.header), dequeue(.footer)] == [.notRegistered, nil])
        try view.register(
            OtherHeader.self,
            forSupplementaryViewOfKind: .header,
            withReuseIdentifier: "header"
        )
        let made = try view.dequeueReusableSupplementaryView(
            ofKind: .header,
            withReuseIdentifier: "header",
            for: ItemPath(0, 0)
        )
        #expect(made is OtherHeader && dequeue(.footer) == nil)
    }

    @Test func aDecorationClassIsTheLayoutsAndNilUnregistersIt() throws {
        let kind = SupplementaryKind(rawValue: "backdrop")
        let bench = try Bench([texts(2)])
        bench.layout.decorationKind = kind
        bench.layout.register(Backdrop.self, forDecorationViewOfKind: kind)
        bench.load()
        let place = LayoutPlace(.decoration(kind), ItemPath(0, 0))
        #expect(bench.view.visibleView(at: place) is Backdrop)
        bench.layout.register(nil, forDecorationViewOfKind: kind)
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.view.visibleView(at: place) == nil)
        #expect(Set(bench.view.errors.map(\.code)) == [.notRegistered])
        // What was of the class that is gone is not kept for later.
        #expect(bench.view.numberOfReusableViews == 0)
    }

    @Test(arguments: Substrate.allCases)
    func elementsOfEachKindHaveTheClassThatIsRegisteredForIt(_ substrate: Substrate) async throws {
        let list = try await List(
            substrate,
            [.init(["a"], headers: ["H"], footers: ["F"])],
            height: 6
        )
        func types() async -> [String] {
            await list.onMain { view, _ in
                view.layoutIfNeeded()
                return view.visibleViews.map { "\(type(of: $0))" }
            }
        }
        #expect(
            await types() == [
                "CollectionViewCell", "CollectionReusableView", "CollectionReusableView",
            ]
        )
        try await list.onMain { view, _ in
            try view.register(
                OtherHeader.self,
                forSupplementaryViewOfKind: .footer,
                withReuseIdentifier: SimulatedCollectionView.elementReuseIdentifier
            )
        }
        try await list.controller.reloadData()
        #expect(await types() == ["CollectionViewCell", "OtherHeader", "CollectionReusableView"])
        await list.controller.close()
    }
}
