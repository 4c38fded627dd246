import Foundation

/// Ten users in JSONPlaceholder's shape: about 4 KB.
enum Users {
    static let count = 10

    static let json: Data = {
        let users = (1...count).map { number in
            """
              {
                "id": \(number),
                "name": "Ervin Howell the \(number)th",
                "username": "Antonette\(number)",
                "email": "shanna\(number)@melissa.example",
                "address": {
                  "street": "Victor Plains",
                  "suite": "Suite 87\(number)",
                  "city": "Wisokyburgh",
                  "zipcode": "90566-777\(number)",
                  "geo": { "lat": "-43.9509", "lng": "-34.4618" }
                },
                "phone": "010-692-6593 x0912\(number)",
                "website": "anastasia.example",
                "company": {
                  "name": "Deckow-Crist",
                  "catchPhrase": "Proactive didactic contingency",
                  "bs": "synergize scalable supply-chains"
                }
              }
            """
        }
        return Data("[\n\(users.joined(separator: ",\n"))\n]\n".utf8)
    }()
}
