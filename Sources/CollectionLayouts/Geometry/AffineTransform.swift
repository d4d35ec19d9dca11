/// A linear map and a shift: how a view is turned, scaled or moved beyond its frame.
public struct AffineTransform: Hashable, Sendable {
    /// How much of x goes into x.
    public var a: Double
    /// How much of x goes into y.
    public var b: Double
    /// How much of y goes into x.
    public var c: Double
    /// How much of y goes into y.
    public var d: Double
    /// The shift along x.
    public var tx: Double
    /// The shift along y.
    public var ty: Double

    /// Makes a transform: x becomes a·x + c·y + tx, and y becomes b·x + d·y + ty.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// Changes nothing.
    public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Scales.
    public init(scaleX x: Double, y: Double) { self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }

    /// Shifts.
    public init(translationX x: Double, y: Double) {
        self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }
}
