import Foundation

extension PageStrategy {
    /// Returns the position after a page.
    /// - Throws: ``MappingError`` if the cursor, its flag, the link or the total has another form than expected.
    func state(after state: PageState, _ page: PageFacts) throws -> PageState {
        var next = state
        next.pageCount += 1
        next.elementCount = sum(state.elementCount, page.count)
        next.lastListHash = page.listHash
        if let url = page.url?.absoluteString, isByLink { next.visited.insert(url) }
        next.position = try position(after: state, page)
        let isTotal = try isTotalReached(after: next, page)
        if isTotal || maximumPages.map({ next.pageCount >= $0 }) ?? false { next.position = .end }
        if let key = next.position.key, !next.visited.insert(key) { next.position = .repeated }
        return next
    }

    private var isByLink: Bool {
        switch kind {
        case .linkField, .linkMember: true
        default: false
        }
    }

    private func position(after state: PageState, _ page: PageFacts) throws -> PageState.Position {
        switch kind {
        case .offset(_, let start, _, _):
            if page.count == 0 { return .end }
            if case .offset(let offset) = state.position { return .offset(sum(offset, page.count)) }
            return .offset(sum(start, page.count))
        case .number(_, let first, _, _):
            if page.count == 0 { return .end }
            if case .number(let number) = state.position { return .number(sum(number, 1)) }
            return .number(sum(first, 1))
        case .cursor(let path, _):
            return try page.cursor(at: path)
        case .bodyCursor(let path, _, let flag):
            if let flag, try page.document?.decodeIfPresent(path: flag) == false { return .end }
            return try page.cursor(at: path)
        case .linkField(let relation):
            return resolved(LinkField(page.headers.values(for: .link)).target(of: relation), on: page)
        case .linkMember(let path):
            return resolved(try page.text(at: path), on: page)
        }
    }

    private func resolved(_ link: String?, on page: PageFacts) -> PageState.Position {
        guard let link, !link.isEmpty else { return .end }
        return .link(URL(reference: link, relativeTo: page.url)?.absoluteString ?? link)
    }

    /// Whether a maximum or the server's total ends the pages, even if all pages are equal.
    func isBounded(by page: PageFacts) throws -> Bool { try maximumPages != nil || total?.count(on: page) != nil }

    private func isTotalReached(after state: PageState, _ page: PageFacts) throws -> Bool {
        guard let total, let count = try total.count(on: page) else { return false }
        switch (total.unit, state.position) {
        case (.pages, .number(let next)):
            guard case .number(_, let first, _, _) = kind else { return false }
            return next - first >= count
        case (.pages, _): return state.pageCount >= count
        case (.elements, .offset(let next)):
            guard case .offset(_, let start, _, _) = kind else { return false }
            // Some servers count offsets from 1 (RFC 7644 §3.4.2.4).
            return next - start >= count
        case (.elements, _): return state.elementCount >= count
        }
    }

    /// Adds two numbers without a trap on overflow. The app can choose any number for the first offset or page.
    private func sum(_ one: Int, _ other: Int) -> Int {
        let (sum, isOverflow) = one.addingReportingOverflow(other)
        return isOverflow ? Int.max : sum
    }
}

extension PageState.Position {
    /// The text that is different for each position: a cursor or a link. `nil` for a position without one.
    fileprivate var key: String? {
        switch self {
        case .cursor(let text), .numericCursor(let text): text
        // Addresses that differ only in their fragment are the same page.
        case .link(let text): String(text.prefix { $0 != "#" })
        default: nil
        }
    }
}

extension PageFacts {
    fileprivate func cursor(at path: String) throws -> PageState.Position {
        guard let text = try text(at: path) else { return .end }
        return try token(at: path)?.string == nil ? .numericCursor(text) : .cursor(text)
    }

    /// Returns the text of a cursor or link, which is a string or a number. Returns `nil` if the value is missing,
    /// `null`, `false` or empty.
    fileprivate func text(at path: String) throws -> String? {
        guard let value = try token(at: path), value.bool != false else { return nil }
        guard let text = value.string ?? value.numberText else {
            throw MappingError(
                MappingIssue(
                    .wrongType,
                    path: JsonPath(path) ?? .root,
                    expected: "a string or a number",
                    found: value.found
                )
            )
        }
        return text.isEmpty ? nil : text
    }

    private func token(at path: String) throws -> Json? { try document?.decodeIfPresent(path: path) }
}
