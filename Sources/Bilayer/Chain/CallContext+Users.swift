import Foundation

extension CallContext {
    /// The user for whom this call sends its requests: the one of its first request, also after the user has changed.
    func user(noting mark: UserMark) -> Int { record.user(noting: mark) }

    /// The users for whom this call sends its requests through a node.
    func users(of node: some Node) -> Set<UserMark> {
        Set(userMarks(of: node).map { UserMark(owner: $0.owner, number: user(noting: $0)) })
    }
}
