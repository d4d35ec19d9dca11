/// A value that feeds the same bytes in every process, on every machine and in every release.
///
/// Conform identifiers and content revisions that digests are to cover. Types are not told apart: the number 0
/// and an empty text feed the same. Values of one type that are equal must feed the
/// same bytes, and others not: beware of types whose equality looks through what they are made of, as that of text
/// does. Of several parts each must tell where it ends, as text does with its length.
///
/// ```swift
/// extension PostID: StableHashable {
///     func feed(_ hasher: inout StableHasher) { number.feed(&hasher) }
/// }
/// ```
public protocol StableHashable {
    /// Feeds the value's bytes.
    func feed(_ hasher: inout StableHasher)
}

extension Int: StableHashable {
    /// Feeds eight bytes, the lowest first.
    @inlinable
    public func feed(_ hasher: inout StableHasher) {
        hasher.combine(UInt64(bitPattern: Int64(self)))
    }
}

extension Int64: StableHashable {
    /// Feeds eight bytes, the lowest first; the same as an `Int` of equal value.
    @inlinable
    public func feed(_ hasher: inout StableHasher) { hasher.combine(UInt64(bitPattern: self)) }
}

extension UInt64: StableHashable {
    /// Feeds eight bytes, the lowest first.
    @inlinable
    public func feed(_ hasher: inout StableHasher) { hasher.combine(self) }
}

extension String: StableHashable {
    /// Feeds the number of bytes of UTF-8, and those.
    ///
    /// The bytes are fed as they are. Texts that Swift takes for equal, though they are composed of other
    /// scalars, have other hashes: normalize identifiers before they become such.
    @inlinable
    public func feed(_ hasher: inout StableHasher) {
        hasher.combine(UInt64(utf8.count))
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension StateDigest: StableHashable {
    /// Feeds the sixteen bytes, in order.
    @inlinable
    public func feed(_ hasher: inout StableHasher) {
        hasher.combine(low)
        hasher.combine(high)
    }
}

extension Array: StableHashable where Element: StableHashable {
    /// Feeds the number of elements, and each in order.
    @inlinable
    public func feed(_ hasher: inout StableHasher) {
        hasher.combine(UInt64(count))
        for element in self { element.feed(&hasher) }
    }
}

extension Optional: StableHashable where Wrapped: StableHashable {
    /// Feeds a byte that says whether there is a value, and the value.
    @inlinable
    public func feed(_ hasher: inout StableHasher) {
        switch self {
        case nil: hasher.combine(UInt8(0))
        case let value?:
            hasher.combine(UInt8(1))
            value.feed(&hasher)
        }
    }
}
