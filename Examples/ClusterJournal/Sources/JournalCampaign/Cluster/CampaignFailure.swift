/// Why a campaign could not be run.
package struct CampaignFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
