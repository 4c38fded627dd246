import APIBaseContract
import TestTiers
import Testing
import Unsplash

@Suite(
    .document("openapi.json"),
    .stubs { $0.on(UnsplashAPI.self).answer(.json(sample)).allowing(.body("#/*/*")) },
    .limited
) struct ModelsTests {
    @Test func `PhotosRequest fails with undecodable, which names key and index, when an element is no photo`() async {
        await #expect { try await PhotosRequest(accessKey: "key").value() } throws: { error in
            guard case RequestError.undecodable(let undecodable) = error else { return false }
            return undecodable.expected == "the key “id”" && undecodable.place == "[1]"
        }
    }

    @Test
    func `LenientPhotosRequest keeps the valid photo and reports the index of each invalid element`() async throws {
        let photos = try await LenientPhotosRequest(accessKey: "key").value()
        #expect(photos.failures.map(\.index) == [1, 2, 3])
        let photo = try #require(photos.elements.first)
        #expect(photos.elements.count == 1)
        #expect(photo.id == "yNvVnPcurD8")
        #expect(photo.createdAt == Date(timeIntervalSince1970: 1_593_642_687))
        #expect(photo.promotedAt == nil)
        #expect(photo.description == nil)
        #expect(photo.altDescription == "laptop on brown wooden table")
        #expect(photo.blurHash == "LKFiiZxu4m%N-;R%D%s;xu~qtSD%")
        #expect(photo.urls.thumb.query?.hasSuffix("ixid=eyJhcHBfaWQiOjMxMjcxfQ") == true)
        #expect(photo.links?.downloadLocation?.path == "/photos/yNvVnPcurD8/download")
        #expect(photo.likedByUser == false)
        #expect(photo.user.username == "xps")
        #expect(photo.user.lastName == nil)
        #expect(photo.user.profileImage?["small"]?.host == "images.unsplash.com")
        #expect(photo.sponsorship?.sponsor?.totalPhotos == 26)
    }
}
