#if canImport(Darwin)
extension ProgressQueue {
    /// SwiftUI requires changes of an observed object on the main queue.
    static var ofThisSystem: ProgressQueue? { main }
}
#endif
