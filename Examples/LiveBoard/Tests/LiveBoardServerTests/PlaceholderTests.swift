import HummingbirdTesting
import Testing
@testable import LiveBoardServer
