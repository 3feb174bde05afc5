import Testing

@testable import Bilayer

/// A type may have more keys than the encoder's key table has room for at first. It may also have more than the 64 keys
/// for which the encoder has a bit each. It is written like any other type.
@Suite(.smallStack) struct ManyKeysTests {
    private enum Keys: Int, CaseIterable, CodingKey {
        case key0, key1, key2, key3, key4, key5, key6, key7, key8, key9
        case key10, key11, key12, key13, key14, key15, key16, key17, key18, key19
        case key20, key21, key22, key23, key24, key25, key26, key27, key28, key29
        case key30, key31, key32, key33, key34, key35, key36, key37, key38, key39
        case key40, key41, key42, key43, key44, key45, key46, key47, key48, key49
        case key50, key51, key52, key53, key54, key55, key56, key57, key58, key59
        case key60, key61, key62, key63, key64, key65, key66, key67, key68, key69
        case key70, key71, key72, key73, key74, key75, key76, key77, key78, key79
    }

    private struct Sparse: Encodable {
        let keys: [Keys]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            for (index, key) in keys.enumerated() { try container.encode(index, forKey: key) }
        }
    }

    @Test func inOrder() { expectSameEncoding(Sparse(keys: Keys.allCases)) }

    @Test func backwards() {
        expectSameEncoding([Sparse(keys: Keys.allCases.reversed()), Sparse(keys: Keys.allCases)])
    }

    @Test("the last of two values of one key counts", arguments: [0, 15, 16, 63, 64, 79])
    func twice(number: Int) throws {
        let key = try #require(Keys(rawValue: number))
        expectSameEncoding(Sparse(keys: [key, .key1, key]))
        expectSameEncoding(Sparse(keys: [.key1] + Keys.allCases + [key]))
    }
}
