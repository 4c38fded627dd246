import APIBaseKit
import Foundation
import Testing

@testable import APIBaseCache

@Suite struct BodyBufferTests {
    @Test(
        arguments: [
            ([], 0, 0), ([1], 0, nil), ([4], 4, 4), ([2, 2], 4, 4), ([2, 3], 4, nil), ([5], 4, nil), ([5, 1], 4, nil),
            ([3, 3, 1], 4, nil),
        ] as [([Int], Int, Int?)]
    )
    func `BodyBuffer.contents is nil unless the whole body is within the limit of bytes`(
        chunks: [Int],
        limit: Int,
        whole: Int?
    ) {
        let buffer = BodyBuffer(limit: limit)
        for count in chunks { buffer.append(Data(count: count)) }
        #expect(buffer.contents?.count == whole)
    }
}
