import Bilayer
import Testing

@Suite("ISO 8601 durations")
struct ISO8601DurationTests {
    @Test(
        "reads weeks, days, hours, minutes and seconds",
        arguments: [
            ("PT0S", Duration.zero), ("PT1H30M", .seconds(5400)), ("P1D", .seconds(86_400)),
            ("P2W", .seconds(1_209_600)),
            ("P1W2DT3H4M5S", .seconds(788_645)), ("PT0.25S", .milliseconds(250)), ("PT0,25S", .milliseconds(250)),
            ("PT0.2500000000000000000S", .milliseconds(250)), ("PT1.0000000000000000000000S", .seconds(1)),
            ("PT1.5H", .seconds(5400)), ("P0.5D", .seconds(43_200)), ("-PT5M", .seconds(-300)),
            ("+PT5M", .seconds(300)),
            ("PT36H", .seconds(129_600)), ("P1DT0.1M", .seconds(86_406)),
            ("PT0.000000000000000001S", Duration(secondsComponent: 0, attosecondsComponent: 1)),
        ]
    )
    func reads(text: String, duration: Duration) throws {
        #expect(try ValueFormat.iso8601.read(Json(text)) == duration)
    }

    @Test("writes what has more seconds than an `Int64`, and both ends")
    func large() {
        #expect((Duration.seconds(Int64.max) * 2).iso8601 == "PT5124095576030431H14S")
        #expect((Duration.seconds(Int64.min) * 2).iso8601 == "-PT5124095576030431H16S")
        #expect(Duration.seconds(-5400.25).iso8601 == "-PT1H30M0.25S")
        #expect(Duration.milliseconds(-250).iso8601 == "-PT0.25S")
        #expect(Duration.seconds(59.5).iso8601 == "PT59.5S")
    }

    @Test(
        "every duration comes back, the longest ones too",
        arguments: [
            Duration.seconds(1 << 61), .seconds(Int64.max), .seconds(Int64.min), .seconds(Int64.max) * 18,
            .seconds(47_261_439_850_130_342) * 3600
                + Duration(secondsComponent: 531, attosecondsComponent: 687_303_715_884_105_727),
            .seconds(-47_261_439_850_130_342) * 3600
                - Duration(secondsComponent: 531, attosecondsComponent: 687_303_715_884_105_727),
            .seconds(-47_261_439_850_130_342) * 3600
                - Duration(secondsComponent: 531, attosecondsComponent: 687_303_715_884_105_728),
        ]
    )
    func longest(_ duration: Duration) {
        #expect(Duration(iso8601: duration.iso8601) == duration)
    }

    @Test("long durations in other units, and those that are too long")
    func longUnits() {
        #expect(Duration(iso8601: "P281318094346013W") == .seconds(281_318_094_346_013) * 604_800)
        #expect(Duration(iso8601: "PT18446744073709551615S") == .seconds(Int64.max) * 2 + .seconds(1))
        #expect(Duration(iso8601: "PT18446744073709551615M") == nil)
        #expect(Duration(iso8601: "PT47261439850130342H8M51.687303715884105728S") == nil)
        #expect(Duration(iso8601: "-PT47261439850130342H8M51.687303715884105729S") == nil)
        #expect(Duration(iso8601: "PT47261439850130342H9M") == nil)
        #expect(Duration(iso8601: "P1DT47261439850130342H") == nil)
    }

    @Test(
        "refuses years, months and everything else",
        arguments: [
            "", "P", "PT", "P1Y", "P1M", "P1Y2M3D", "P1DT", "T1H", "1H", "PT1", "PTS", "PT1M1H", "PT1H1H", "PT1.5H30M",
            "PT1.0H30M",
            "PT.5S",
            "PT1.S", "P-1D", "PT1h", "pt1H", " PT1H", "PT1H ", "--PT1H", "PT1S1D", "P1S", "PT99999999999999999999S",
            "PT9223372036854775807H", "PT0.0000000000000000001S", "P00000-00-01",
        ]
    )
    func refuses(text: String) {
        let message = failure { try ValueFormat.iso8601.read(Json(text)) }
        #expect(
            message.hasPrefix("$: invalid value: expected an ISO 8601 duration without years and months"),
            "\(text)"
        )
    }

    @Test(
        "writes hours, minutes and seconds",
        arguments: [
            (Duration.zero, "PT0S"), (.seconds(5400), "PT1H30M"), (.seconds(86_400), "PT24H"),
            (.milliseconds(-250), "-PT0.25S"),
            (.seconds(3605), "PT1H5S"), (.milliseconds(60_010), "PT1M0.01S"),
        ]
    )
    func writes(duration: Duration, text: String) throws {
        #expect(try ValueFormat.iso8601.write(duration) == Json(text))
    }

    @Test("what is written reads back as the same length, to the attosecond")
    func roundTrips() throws {
        for seed in 0..<20 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            for _ in 0..<200 {
                let seconds = Int64.random(in: -9_000_000_000...9_000_000_000, using: &random)
                let attoseconds = Int64.random(in: 0..<1_000_000_000_000_000_000, using: &random)
                let duration =
                    Duration.seconds(seconds) + Duration(secondsComponent: 0, attosecondsComponent: attoseconds)
                let raw = try ValueFormat.iso8601.write(duration)
                #expect(try ValueFormat.iso8601.read(raw) == duration, "seed \(seed): \(raw)")
            }
        }
    }
}
