/// How a query or a form spells the elements of an array. Servers differ; none of the four is a standard.
///
/// ```swift
/// let colours = ["colour": ["red", "blue"]]
/// let query = QueryItems.encoding(colours, arrays: .brackets)      // colour[]=red&colour[]=blue
/// ```
/// An empty array has no items, and an element that is `null` is left out. In the first three spellings, an element
/// that is an array or an object has its index in brackets: `rooms[0][beds]=2`.
public enum FormArrays: Sendable, Hashable {
    /// The name again for each element: `colour=red&colour=blue`.
    case repeated
    /// The name with empty brackets: `colour[]=red&colour[]=blue`. For PHP and Rails.
    case brackets
    /// The name with the index: `colour[0]=red&colour[1]=blue`.
    case indexed
    /// One item: `colour=red,blue`. An element is an error if it contains a comma, or if it is an array or an object.
    case commas
}
