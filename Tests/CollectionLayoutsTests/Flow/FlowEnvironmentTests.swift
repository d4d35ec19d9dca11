import TestSupport
import Testing

@testable import CollectionLayouts

@Suite("What a flow layout takes from its view")
struct FlowEnvironmentTests {
    private func host() -> ScriptedHost {
        let host = ScriptedHost(width: 100, height: 60)
        host.adjustedContentInset = EdgeInsets(top: 1, left: 2, bottom: 4, right: 8)
        host.safeAreaInsets = EdgeInsets(top: 11, left: 12, bottom: 14, right: 18)
        host.layoutMargins = EdgeInsets(top: 21, left: 22, bottom: 24, right: 28)
        host.displayScale = 3
        return host
    }

    private func made(
        _ host: ScriptedHost,
        _ direction: ScrollDirection = .vertical,
        _ reference: SectionInsetReference = .fromContentInset
    ) -> FlowEnvironment? {
        FlowEnvironment(host, direction: direction, insetReference: reference)
    }

    /// Lines begin on the right where content runs from right to left, and so does what scrolls
    /// sideways; the view's edges stay where they are.
    @Test func eachEdgeOfTheReferenceIsWhereTheContentBeginsOrEnds() throws {
        let host = host()
        for reference in SectionInsetReference.allCases {
            for isRightToLeft in [false, true] {
                host.isRightToLeft = isRightToLeft
                let edges: EdgeInsets =
                    switch reference {
                    case .fromContentInset: .zero
                    case .fromSafeArea: host.safeAreaInsets
                    case .fromLayoutMargins: host.layoutMargins
                    }
                let (start, end) =
                    isRightToLeft ? (edges.right, edges.left) : (edges.left, edges.right)
                let vertical = try #require(made(host, .vertical, reference))
                #expect(vertical.acrossLeading == start && vertical.acrossTrailing == end)
                #expect(vertical.alongLeading == edges.top)
                #expect(vertical.alongTrailing == edges.bottom)
                #expect(vertical.dimension == 90 && vertical.direction == .vertical)
                #expect(vertical.mirrorsLines == isRightToLeft && !vertical.mirrorsSections)
                let horizontal = try #require(made(host, .horizontal, reference))
                #expect(horizontal.alongLeading == start && horizontal.alongTrailing == end)
                #expect(horizontal.acrossLeading == edges.top)
                #expect(horizontal.acrossTrailing == edges.bottom)
                #expect(horizontal.dimension == 55 && horizontal.direction == .horizontal)
                #expect(horizontal.mirrorsSections == isRightToLeft && !horizontal.mirrorsLines)
                for one in [vertical, horizontal] {
                    #expect(one.scale == 3 && one.isRightToLeft == isRightToLeft)
                }
            }
        }
    }

    @Test func anEdgeThatIsNoDistanceCountsAsNone() throws {
        let host = host()
        for (value, used) in [(-5.0, -5.0), (.nan, 0), (.infinity, 0), (-.infinity, 0)] {
            host.layoutMargins = EdgeInsets(top: value, left: value, bottom: value, right: value)
            for direction in ScrollDirection.allCases {
                let one = try #require(made(host, direction, .fromLayoutMargins))
                let edges = [
                    one.acrossLeading, one.acrossTrailing, one.alongLeading, one.alongTrailing,
                ]
                #expect(edges == Array(repeating: used, count: 4))
            }
        }
    }

    @Test func withoutRoomThereIsNoEnvironment() {
        let rooms: [(width: Double, height: Double, inset: Double, isRoom: Bool)] = [
            (10, 10, 0, true), (10, 10, 9.5, true), (10, 10, 10, false), (10, 10, 11, false),
            (0, 10, 0, false), (10, 0, 0, false), (0.5, 0.5, 0, true), (-1, 10, -5, false),
            (10, -1, 0, false), (.infinity, 10, 0, false), (.nan, 10, 0, false),
        ]
        for (across, along, inset, isRoom) in rooms {
            for direction in ScrollDirection.allCases {
                let size = Size(along: along, across: across, direction)
                let host = ScriptedHost(width: size.width, height: size.height)
                host.adjustedContentInset =
                    direction == .vertical ? EdgeInsets(left: inset) : EdgeInsets(top: inset)
                #expect((made(host, direction) != nil) == isRoom, "\(across), \(inset)")
                #expect(made(host, direction).map { $0.dimension == across - inset } ?? true)
            }
        }
    }

    @Test func valuesAreRoundedToPixelsAsFarAsThereAreSome() throws {
        let host = host()
        let scales: [(Double, Double)] = [
            (1, 1), (3, 3), (0.5, 0.5), (0, 1), (-1, 1), (.nan, 1), (.infinity, 1),
        ]
        for (scale, used) in scales {
            host.displayScale = scale
            let one = try #require(made(host))
            #expect(one.scale == used)
            for value in [0, 0.2, 0.5, 0.9, 1.49, -0.4, -7.7, 1234.567] {
                #expect(one.rounded(value) == (value * used).rounded() / used)
            }
        }
        host.displayScale = 1e10
        let fine = try #require(made(host))
        #expect(fine.rounded(.greatestFiniteMagnitude) == .greatestFiniteMagnitude)
        #expect(fine.rounded(-1e300) == -1e300)
    }

    /// Whoever places the section mirrors and aligns it, too.
    @Test func aSingleSectionHasNoSurroundings() {
        for direction in ScrollDirection.allCases {
            let one = FlowEnvironment(ofSectionAlong: direction, dimension: 77)
            #expect(one.direction == direction && one.dimension == 77 && one.scale == 1)
            #expect(!one.isRightToLeft && !one.mirrorsLines && !one.mirrorsSections)
            let edges = [
                one.acrossLeading, one.acrossTrailing, one.alongLeading, one.alongTrailing,
            ]
            #expect(edges == [0, 0, 0, 0])
        }
    }
}
