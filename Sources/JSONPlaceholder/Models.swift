/// A user, with posts, todos and albums.
public struct User: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the user. `nil` for one that is not created yet.
    public var id: Int?
    /// The full name.
    public var name: String
    /// The login name.
    public var username: String
    /// The e-mail address.
    public var email: String
    /// The postal address.
    public var address: Address?
    /// The telephone number, in any format.
    public var phone: String?
    /// The web site, without a scheme.
    public var website: String?
    /// The company that the user works for.
    public var company: Company?

    /// Creates a user.
    public init(id: Int? = nil, name: String, username: String, email: String) {
        self.id = id
        self.name = name
        self.username = username
        self.email = email
    }
}

/// The address of a user.
public struct Address: Codable, Hashable, Sendable {
    /// The street.
    public var street: String
    /// The flat or suite.
    public var suite: String
    /// The city.
    public var city: String
    /// The postal code.
    public var zipcode: String
    /// The geographic location.
    public var geo: Geo
}

/// A geographic location. The service sends the numbers as strings.
public struct Geo: Codable, Hashable, Sendable {
    /// The latitude, in degrees.
    public var lat: String
    /// The longitude, in degrees.
    public var lng: String
}

/// The company of a user.
public struct Company: Codable, Hashable, Sendable {
    /// The name.
    public var name: String
    /// The company's slogan.
    public var catchPhrase: String
    /// The company's business.
    public var bs: String
}

/// A post of a user.
public struct Post: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the post. `nil` for one that is not created yet.
    public var id: Int?
    /// The ID of the author.
    public var userId: Int
    /// The title.
    public var title: String
    /// The text.
    public var body: String

    /// Creates a post.
    public init(id: Int? = nil, userId: Int, title: String, body: String) {
        self.id = id
        self.userId = userId
        self.title = title
        self.body = body
    }
}

/// A comment on a post.
public struct Comment: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the comment. `nil` for one that is not created yet.
    public var id: Int?
    /// The ID of the post.
    public var postId: Int
    /// The title.
    public var name: String
    /// The e-mail address of the author.
    public var email: String
    /// The text.
    public var body: String

    /// Creates a comment.
    public init(id: Int? = nil, postId: Int, name: String, email: String, body: String) {
        self.id = id
        self.postId = postId
        self.name = name
        self.email = email
        self.body = body
    }
}

/// A task of a user.
public struct Todo: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the todo. `nil` for one that is not created yet.
    public var id: Int?
    /// The ID of the user.
    public var userId: Int
    /// The text of the todo.
    public var title: String
    /// Whether the task is done.
    public var completed: Bool

    /// Creates a todo.
    public init(id: Int? = nil, userId: Int, title: String, completed: Bool = false) {
        self.id = id
        self.userId = userId
        self.title = title
        self.completed = completed
    }
}

/// A photo album of a user.
public struct Album: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the album. `nil` for one that is not created yet.
    public var id: Int?
    /// The ID of the user.
    public var userId: Int
    /// The title.
    public var title: String

    /// Creates an album.
    public init(id: Int? = nil, userId: Int, title: String) {
        self.id = id
        self.userId = userId
        self.title = title
    }
}

/// A photo in an album.
public struct Photo: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the photo. `nil` for one that is not created yet.
    public var id: Int?
    /// The ID of the album.
    public var albumId: Int
    /// The title.
    public var title: String
    /// The URL of the image.
    public var url: String
    /// The URL of a small image.
    public var thumbnailUrl: String

    /// Creates a photo.
    public init(id: Int? = nil, albumId: Int, title: String, url: String, thumbnailUrl: String) {
        self.id = id
        self.albumId = albumId
        self.title = title
        self.url = url
        self.thumbnailUrl = thumbnailUrl
    }
}
