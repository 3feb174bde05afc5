/// The proleptic Gregorian calendar, calculated with integers.
// All values are `Int64`, because the seconds of a date after 2038 do not fit 32 bits, and `Int` can have only 32.
enum GregorianCalendar {
    /// Returns the number of days of a month.
    static func daysInMonth(_ month: Int64, year: Int64) -> Int64 {
        guard month == 2 else { return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31 }
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return leap ? 29 : 28
    }

    /// Returns the number of days from 1970-01-01 to a date. Inside, each year begins in March, so that the leap day is
    /// the last day of a year. Every era of 400 years has 146,097 days.
    static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year &- 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear &- 399) / 400
        let yearOfEra = marchYear &- era &* 400
        let monthFromMarch = month > 2 ? month &- 3 : month &+ 9
        let dayOfYear = (153 &* monthFromMarch &+ 2) / 5 &+ day &- 1
        let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
        return era &* 146_097 &+ dayOfEra &- 719_468
    }

    /// Returns the date of a day counted from 1970-01-01: the inverse of ``daysSince1970(year:month:day:)``.
    static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days &+ 719_468
        let era = (shifted >= 0 ? shifted : shifted &- 146_096) / 146_097
        let dayOfEra = shifted &- era &* 146_097
        let yearOfEra = (dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
        let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
        let year = yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1)
    }
}
