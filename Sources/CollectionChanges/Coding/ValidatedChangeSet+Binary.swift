extension ValidatedChangeSet {
    /// Returns the update as bytes that include its old shape, so that decoding needs nothing else.
    ///
    /// An update that follows another in a journal or on a wire does not need the shape; use
    /// ``encodedWithoutShape()``. Equal edits and shapes give equal bytes, in every process and on
    /// every machine.
    ///
    /// ```swift
    /// let bytes = update.encoded()
    /// let same = try ValidatedChangeSet(decoding: bytes)
    /// ```
    ///
    /// Shape: one byte for the version and one for the kind; the old shape; a number that specifies
    /// which lists follow; the edits grouped by what they do, sorted, each as its distance from the
    /// previous one. A reload or move is written once. The new shape is not written, because it can
    /// be derived, except for a `reloadData`.
    ///
    /// Ten edits in a million items take 30 to 60 bytes in addition to the shape. The update must
    /// have been validated in the `standard` or `strict` profile, or composed from such updates. An
    /// update that is valid only in the `texture` profile can be encoded, but decoding may reject
    /// it.
    ///
    /// Complexity: O(k + s) for k edits and s sections.
    public func encoded() -> [UInt8] { encode(.update) { $0.shape(oldShape) } }

    /// Returns the update as bytes for a reader that has the old shape.
    ///
    /// The bytes contain only the numbers of sections and items of the old shape, so that a reader
    /// with a different shape usually detects the mismatch. Ten edits in a million items take 40 to
    /// 70 bytes in total, independent of the number of sections.
    ///
    /// Complexity: O(k log k) for k edits; O(k + s) for a `reloadData`.
    public func encodedWithoutShape() -> [UInt8] {
        encode(.updateWithoutShape) { writer in
            writer.index(oldShape.numberOfSections)
            writer.index(oldShape.numberOfItems ?? 0)
        }
    }

    private func encode(_ form: BinaryForm, start: (inout ByteWriter) -> Void) -> [UInt8] {
        form.encode(reserving: 32 + 5 * edits.count) { writer in
            start(&writer)
            if isReloadData {
                writer.unsigned(UpdateRecord.Parts.reload.rawValue)
                writer.shape(newShape)
                writer.signed(reloadDataAnimation.rawValue)
            } else if isEmpty {
                writer.unsigned(UpdateRecord.Parts.nothing.rawValue)
            } else {
                UpdateRecord(of: self).write(to: &writer)
            }
        }
    }

    /// Creates an update from the bytes that ``encoded()`` returned, and validates it.
    ///
    /// For any bytes, the result is an error or an update that validation in the `standard` profile
    /// returns for its edits.
    ///
    /// Memory: less than 2,048 bytes for each byte of `bytes`.
    ///
    /// Complexity: O(k log k + s) for k edits and s sections.
    ///
    /// - Parameters:
    ///   - bytes: The binary form, with nothing after it.
    ///   - limits: The maximum size of both shapes.
    /// - Throws: The first fault of the bytes; `rejected` with the validation error.
    public init(
        decoding bytes: [UInt8],
        limits: ShapeLimits = ShapeLimits()
    ) throws(BinaryDecodingError) {
        self = try BinaryForm.update.decode(bytes) {
            (reader) throws(BinaryDecodingError) -> ValidatedChangeSet in
            let oldShape = try reader.shape(limits)
            return try reader.update(from: oldShape, limits)
        }
    }

    /// Creates an update from the bytes that ``encodedWithoutShape()`` returned, and validates it
    /// from the reader's shape.
    ///
    /// Memory: less than 2,048 bytes for each byte of `bytes`, plus at most a copy of the shape's
    /// counts.
    ///
    /// - Parameters:
    ///   - bytes: The binary form, with nothing after it.
    ///   - oldShape: The shape before the update.
    ///   - limits: The maximum size of both shapes.
    /// - Throws: The first fault of the bytes; `stateMismatch` if the update starts from another
    ///   shape; `rejected` with the validation error.
    public init(
        decoding bytes: [UInt8],
        from oldShape: HierarchyShape,
        limits: ShapeLimits = ShapeLimits()
    ) throws(BinaryDecodingError) {
        self = try BinaryForm.updateWithoutShape.decode(bytes) {
            (reader) throws(BinaryDecodingError) -> ValidatedChangeSet in
            let start = reader.offset
            let (sections, items) = (try reader.index(), try reader.index())
            let expectedItems = oldShape.numberOfItems ?? 0
            guard sections == oldShape.numberOfSections, items == expectedItems else {
                throw BinaryDecodingError(
                    .stateMismatch,
                    at: start,
                    "the update must start from \(oldShape.numberOfSections) sections with"
                        + " \(expectedItems) items, but starts from \(sections) with \(items)"
                )
            }
            return try reader.update(from: oldShape, limits)
        }
    }
}

extension ByteReader {
    /// Reads and validates the part of an update that follows its start.
    fileprivate mutating func update(
        from oldShape: HierarchyShape,
        _ limits: ShapeLimits
    ) throws(BinaryDecodingError) -> ValidatedChangeSet {
        let start = offset
        let parts = UpdateRecord.Parts(rawValue: try unsigned())
        let isWhole = parts == .reload || parts == .nothing
        guard isWhole || parts.isDisjoint(with: [.reload, .nothing]),
            UpdateRecord.Parts.all.isSuperset(of: parts)
        else {
            throw BinaryDecodingError(
                .unknownValue,
                at: start,
                "the parts of an update cannot be \(parts.rawValue)"
            )
        }
        do {
            try limits.check(oldShape)
        } catch {
            throw BinaryDecodingError(.rejected, at: start, error.message, because: error)
        }
        if parts == .nothing { return .unchanged(oldShape) }
        if parts == .reload {
            let newShape = try shape(limits)
            let animation = AnimationOption(rawValue: try signed())
            return .reloadingData(from: oldShape, to: newShape, animation: animation)
        }
        let record = try UpdateRecord(parts, from: &self)
        return try validate(record, from: oldShape, limits, start)
    }

    private func validate(
        _ record: UpdateRecord,
        from oldShape: HierarchyShape,
        _ limits: ShapeLimits,
        _ start: Int
    ) throws(BinaryDecodingError) -> ValidatedChangeSet {
        guard let newShape = record.newShape(after: oldShape) else {
            throw BinaryDecodingError(
                .rejected,
                at: start,
                "the removed and inserted sections must exist and be distinct, but some are not"
            )
        }
        let update: ValidatedChangeSet
        do {
            update = try record.changes.validated(from: oldShape, to: newShape, limits: limits)
        } catch {
            throw BinaryDecodingError(.rejected, at: start, error.message, because: error)
        }
        guard update.edits.count == record.editCount,
            update.reconfigurations.count == record.reconfigurations.count,
            update.supplementaryReloads.count == record.supplementaryReloads.count
        else {
            throw BinaryDecodingError(
                .notCanonical,
                at: start,
                "the update must not list edits that its other edits cover, but does"
            )
        }
        return update
    }
}
