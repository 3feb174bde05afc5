// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Bilayer",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Bilayer", targets: ["Bilayer"]),
        .library(name: "BilayerTesting", targets: ["BilayerTesting"]),
    ],
    // A promise to adopters: no package is ever named here, not even for tests.
    dependencies: [],
    targets: [
        .target(name: "Bilayer"),
        .target(name: "BilayerTesting", dependencies: ["Bilayer"]),
        .executableTarget(name: "BilayerDemo", dependencies: ["Bilayer", "BilayerTesting"]),
        .target(name: "BenchmarkProbes", path: "Benchmarks/Probes"),
        .target(name: "SecondLayerForms", dependencies: ["Bilayer"], path: "Benchmarks/SecondLayer"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["Bilayer", "BilayerTesting", "BenchmarkProbes", "SecondLayerForms"],
            path: "Benchmarks",
            exclude: ["Probes", "SecondLayer", "Results", "Thresholds.json", "check-instructions", "check-corners"]
        ),
        .target(name: "TestWidth", path: "Tests/TestWidth"),
        .testTarget(
            name: "BilayerTests",
            dependencies: ["Bilayer", "BilayerTesting", "SecondLayerForms", "TestWidth"]
        ),
        .testTarget(name: "PublicInterfaceTests", dependencies: ["Bilayer", "BilayerTesting"]),
        .testTarget(name: "GeneratedTypesTests", dependencies: ["Bilayer", "BilayerTesting"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
        .enableUpcomingFeature("MemberImportVisibility"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
        .enableUpcomingFeature("InternalImportsByDefault"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0458-strict-memory-safety.md
        .strictMemorySafety(),
    ]
}
