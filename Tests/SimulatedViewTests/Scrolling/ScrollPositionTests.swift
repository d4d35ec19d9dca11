import PipelineTestSupport
import Testing

@testable import SimulatedView

/// All sixty-four sets of positions.
@Suite("Where an item is scrolled to")
struct ScrollPositionTests {
    private static let all = (0..<64).map(ScrollPosition.init(rawValue:))
    private static let vertical: [ScrollPosition] = [.top, .centeredVertically, .bottom]
    private static let horizontal: [ScrollPosition] = [.left, .centeredHorizontally, .right]

    /// As in UICollectionView, so that numbers that were kept mean the same.
    @Test func theirBitsAreThoseOfUICollectionView() {
        let bits = (Self.vertical + Self.horizontal).map(\.rawValue)
        #expect(bits == [1, 2, 4, 8, 16, 32])
    }

    @Test func twoOfOneAxisAreRefusedNamingTheAxis() {
        for position in Self.all {
            let down = Self.vertical.filter(position.contains).count
            let across = Self.horizontal.filter(position.contains).count
            var message: String?
            do throws(ViewError) { try position.check() } catch {
                #expect(error.code == .scrollPosition && error.place == nil)
                message = error.message
            }
            let word = down > 1 ? "vertical" : across > 1 ? "horizontal" : nil
            let expected = word.map {
                "UICollectionViewScrollPosition: attempt to use a scroll position with multiple \($0)"
                    + " positioning styles"
            }
            #expect(message == expected, "\(position.rawValue)")
        }
    }

    /// Where the frame is in the part of the viewport that nothing covers.
    @Test func theFrameIsWhereThePositionSaysWithinTheInsets() {
        let frame = Rect(x: 300, y: 500, width: 40, height: 20)
        let bounds = Rect(x: 7, y: 9, width: 110, height: 230)
        let inset = EdgeInsets(top: 3, left: 5, bottom: 11, right: 17)
        for down in [[]] + Self.vertical {
            for across in [[]] + Self.horizontal {
                let position = down.union(across)
                let offset = position.offset(showing: frame, in: bounds, inset: inset)
                let free = Rect(origin: offset, size: bounds.size).inset(by: inset)
                switch down {
                case .top: #expect(frame.minY == free.minY)
                case .centeredVertically: #expect(frame.center.y == free.center.y)
                case .bottom: #expect(frame.maxY == free.maxY)
                default: #expect(offset.y == bounds.minY)
                }
                switch across {
                case .left: #expect(frame.minX == free.minX)
                case .centeredHorizontally: #expect(frame.center.x == free.center.x)
                case .right: #expect(frame.maxX == free.maxX)
                default: #expect(offset.x == bounds.minX)
                }
            }
        }
    }
}
