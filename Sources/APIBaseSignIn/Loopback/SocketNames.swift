import Basics
import Foundation

/// The calls of the system that methods of the same name hide.
enum SocketNames {
    static func listen(_ number: Int32, _ backlog: Int32) -> Int32 { Foundation.listen(number, backlog) }
    static func accept(_ number: Int32) -> Int32 { Foundation.accept(number, nil, nil) }
    static func close(_ number: Int32) { _ = Foundation.close(number) }
    static func send(_ number: Int32, _ bytes: [UInt8]) -> Int {
        Foundation.send(number, bytes, bytes.count, SocketPlatform.sendFlags)
    }
}
