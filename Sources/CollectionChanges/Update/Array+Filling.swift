extension Array {
    /// Makes an array of at most `capacity` elements, which `fill` writes to the memory that it gets, with their
    /// number.
    ///
    /// The standard library's initializer writes the number also to the empty array that all threads share, where
    /// there is no room for any: a race, if a harmless one. So it is not called then.
    package init(
        filling capacity: Int,
        _ fill: (inout UnsafeMutableBufferPointer<Element>, inout Int) throws -> Void
    ) rethrows {
        if capacity == 0 {
            self = []
        } else {
            try self.init(unsafeUninitializedCapacity: capacity, initializingWith: fill)
        }
    }
}
