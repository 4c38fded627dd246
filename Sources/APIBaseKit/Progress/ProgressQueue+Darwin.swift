#if canImport(Darwin)
extension ProgressQueue {
    /// SwiftUI wants the changes of an observed object on the main queue.
    static var ofThisSystem: ProgressQueue? { main }
}
#endif
