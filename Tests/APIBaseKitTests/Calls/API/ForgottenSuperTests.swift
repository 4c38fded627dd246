@testable import APIBaseCore
import Basics
import APIBaseKit
import Testing

private class ForgetfulAPI: JSONAPI { override func configure() { retry = .standard } }

private class CarefulAPI: JSONAPI {
    override func configure() {
        super.configure()
        retry = .standard
    }
}

#if DEBUG
@Suite struct ForgottenSuperTests {
    @Test func `A debug build notes a class whose configure() does not call super, and no other`() {
        _ = (ForgetfulAPI(), ForgetfulAPI(.get("/")), CarefulAPI(), JSONAPI())
        let noted = JSONAPI.unconfigured.withLock { $0 }
        #expect(noted.contains(ObjectIdentifier(ForgetfulAPI.self)))
        #expect(!noted.contains(ObjectIdentifier(CarefulAPI.self)))
        #expect(!noted.contains(ObjectIdentifier(JSONAPI.self)))
    }
}
#endif
