extension ItemPath {
    /// The path in bytes: version, kind, section, item; four bytes for small indexes.
    ///
    /// Any two integers can be written. Complexity: O(1).
    public func encoded() -> [UInt8] {
        BinaryForm.path.encode { writer in
            writer.signed(section)
            writer.signed(item)
        }
    }

    /// Reads what ``encoded()`` wrote.
    ///
    /// - Throws: the first fault of the bytes.
    public init(decoding bytes: RawSpan) throws(BinaryDecodingError) {
        self = try BinaryForm.path.decode(bytes) {
            (reader) throws(BinaryDecodingError) -> ItemPath in
            let section = try reader.signed()
            return ItemPath(section: section, item: try reader.signed())
        }
    }

    /// Reads what ``encoded()`` wrote.
    ///
    /// - Throws: the first fault of the bytes.
    public init(decoding bytes: [UInt8]) throws(BinaryDecodingError) {
        try self.init(decoding: bytes.span.bytes)
    }
}
