import Bilayer
import Foundation
import SecondLayerForms

/// Five models, 2,000 of each, from bytes on: the decoding of the entries alone, and the way to the models in two
/// forms. The article on the second layer compares the two forms by their lines.
func secondLayerCases() -> [Case] {
    secondLayerForms.flatMap { name, forms in
        let list = forms.list(of: 2_000)
        let ways: [(step: String, engine: Engine, run: (Data) throws -> Any)] = [
            ("entries", .bilayerCodable, forms.entries), ("by-hand", .bilayerDirect, forms.modelsByHand),
            ("lean", .bilayerDirect, forms.leanModels),
        ]
        return ways.map { step, engine, run in
            Case(
                suite: .mapping,
                corpus: "\(name)-\(step)",
                byteCount: list.count,
                contenders: [
                    Contender(.foundation) {
                        try forms.foundationEntries(of: list)
                    } isRight: { _ in
                        try forms.agree()
                    },
                    Contender(engine) {
                        try run(list)
                    } isRight: { _ in
                        try forms.agree()
                    },
                ]
            )
        }
    }
}
