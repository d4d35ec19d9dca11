/// An option is written as its number.
extension AnimationOption: Codable {}
