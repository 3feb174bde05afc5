/// A base class that encodes and decodes its own members, as is usual in older code.
class Resource: Codable {
    private enum CodingKeys: String, CodingKey {
        case identifier, createdAt, updatedAt, revision, owner, checksum, size, state
    }

    let identifier, createdAt, updatedAt, revision, owner, checksum, size, state: Int

    init(_ number: Int) {
        (identifier, createdAt, updatedAt, revision) = (number, number + 1, number + 2, number + 3)
        (owner, checksum, size, state) = (number + 4, number + 5, number + 6, number + 7)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        identifier = try container.decode(Int.self, forKey: .identifier)
        createdAt = try container.decode(Int.self, forKey: .createdAt)
        updatedAt = try container.decode(Int.self, forKey: .updatedAt)
        revision = try container.decode(Int.self, forKey: .revision)
        owner = try container.decode(Int.self, forKey: .owner)
        checksum = try container.decode(Int.self, forKey: .checksum)
        size = try container.decode(Int.self, forKey: .size)
        state = try container.decode(Int.self, forKey: .state)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identifier, forKey: .identifier)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
        try container.encode(revision, forKey: .revision)
        try container.encode(owner, forKey: .owner)
        try container.encode(checksum, forKey: .checksum)
        try container.encode(size, forKey: .size)
        try container.encode(state, forKey: .state)
    }
}

/// A subclass that encodes its members into the object of its base class, with its own keys.
final class Article: Resource {
    private enum CodingKeys: String, CodingKey {
        case title, wordCount, readers, score
    }

    let title: String
    let wordCount, readers, score: Int

    override init(_ number: Int) {
        title = "Article \(number)"
        (wordCount, readers, score) = (number + 8, number + 9, number + 10)
        super.init(number)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        wordCount = try container.decode(Int.self, forKey: .wordCount)
        readers = try container.decode(Int.self, forKey: .readers)
        score = try container.decode(Int.self, forKey: .score)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(wordCount, forKey: .wordCount)
        try container.encode(readers, forKey: .readers)
        try container.encode(score, forKey: .score)
    }
}

extension Article: Equatable {
    static func == (left: Article, right: Article) -> Bool {
        left.identifier == right.identifier && left.state == right.state && left.title == right.title
            && left.score == right.score
    }
}
