/// A kind is written as its name.
extension SupplementaryKind: Codable {}
