import Bilayer

struct Offer: Identified {
    typealias RawIdentifier = Int
    let id: ID
}

struct Customer: Identified {
    typealias RawIdentifier = Int
    let id: ID
}

func show(_ id: Offer.ID) {}

func compare(offer: Offer, customer: Customer) {
    // expected-error@+1 {{binary operator '==' cannot be applied to operands of type}}
    _ = offer.id == customer.id
    // expected-error@+1 {{cannot convert value of type}}
    _ = offer.id + 1
    // expected-error@+2 {{(aka 'TypedIdentifier<Customer, Int>') to expected argument type 'Offer.ID'}}
    // expected-note@+1 {{arguments to generic parameter 'Owner' ('Customer' and 'Offer') are expected to be equal}}
    show(customer.id)
    // expected-error@+1 {{(aka 'TypedIdentifier<Offer, Int>') to specified type 'Int'}}
    let number: Int = offer.id
    // expected-error@+1 {{type alias 'ID' requires that 'Offer.RawIdentifier' (aka 'Int') conform to}}
    show(Offer.ID("7"))
    _ = number
}
