/// One of the lives of a member: from when its process is started until it is killed.
package struct MemberLife: Hashable, Sendable, CustomStringConvertible {
    package let member: Int
    package let life: Int

    package init(_ member: Int, life: Int) { (self.member, self.life) = (member, life) }

    package var description: String { "\(member) in life \(life)" }
}
