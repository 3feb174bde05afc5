/// An object with 200 members, more than a usual enum of keys has: a wide table row or a settings document.
struct WideObject: Codable, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case field000, field001, field002, field003, field004, field005, field006, field007, field008, field009
        case field010, field011, field012, field013, field014, field015, field016, field017, field018, field019
        case field020, field021, field022, field023, field024, field025, field026, field027, field028, field029
        case field030, field031, field032, field033, field034, field035, field036, field037, field038, field039
        case field040, field041, field042, field043, field044, field045, field046, field047, field048, field049
        case field050, field051, field052, field053, field054, field055, field056, field057, field058, field059
        case field060, field061, field062, field063, field064, field065, field066, field067, field068, field069
        case field070, field071, field072, field073, field074, field075, field076, field077, field078, field079
        case field080, field081, field082, field083, field084, field085, field086, field087, field088, field089
        case field090, field091, field092, field093, field094, field095, field096, field097, field098, field099
        case field100, field101, field102, field103, field104, field105, field106, field107, field108, field109
        case field110, field111, field112, field113, field114, field115, field116, field117, field118, field119
        case field120, field121, field122, field123, field124, field125, field126, field127, field128, field129
        case field130, field131, field132, field133, field134, field135, field136, field137, field138, field139
        case field140, field141, field142, field143, field144, field145, field146, field147, field148, field149
        case field150, field151, field152, field153, field154, field155, field156, field157, field158, field159
        case field160, field161, field162, field163, field164, field165, field166, field167, field168, field169
        case field170, field171, field172, field173, field174, field175, field176, field177, field178, field179
        case field180, field181, field182, field183, field184, field185, field186, field187, field188, field189
        case field190, field191, field192, field193, field194, field195, field196, field197, field198, field199
    }

    let values: [Int]

    init(values: [Int]) {
        self.values = values
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        values = try CodingKeys.allCases.map { try container.decode(Int.self, forKey: $0) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        for (key, value) in zip(CodingKeys.allCases, values) { try container.encode(value, forKey: key) }
    }

    static func list(of count: Int) -> [WideObject] {
        (0..<count).map { first in WideObject(values: (0..<200).map { first + $0 }) }
    }
}
