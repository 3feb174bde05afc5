import Bilayer

struct Offer: Identified {
    typealias RawIdentifier = Int
    let id: ID
}

struct Customer: Identified {
    typealias RawIdentifier = Int
    let id: ID
}

func compare(offer: Offer, customer: Customer) {
    // expected-error@+1 {{binary operator '==' cannot be applied to operands of type}}
    _ = offer.id == customer.id
    // expected-error@+1 {{cannot convert value of type}}
    _ = offer.id + 1
}
