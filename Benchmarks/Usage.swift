/// The text that `--help` prints.
let usage = """
    Measures Bilayer's JSON engine, mapping and chain beside Foundation's JSON coders.

    USAGE: swift run -c release Benchmarks [options]

    OPTIONS:
      --corpora DIR        also read twitter.json, citm_catalog.json and canada.json from this folder
      --suite NAME,...     only these suites (default: all, see below)
      --filter TEXT        only rows whose suite/corpus/engine contains the text; Foundation stays for the ratio
      --rounds N           rounds of every case (default: 11)
      --largest-body KB    size at which the scaling suite ends (default: 65536, which is 64 MB)
      --json FILE          write the rows as JSON
      --compare FILE       compare with the rows of an earlier --json FILE; slower rows are marked
      --chart FILE.svg     draw the ratios
      --iterations N       no timing: run every selected row N times between two marks for an instruction counter
      --help               show this

    SUITES:
    \(Suite.allCases.map { "  \(padded($0.rawValue, to: 21))\($0.summary)" }.joined(separator: "\n"))

    All engines of a case run in turn in every round. A ratio is the median over the rounds of Foundation's time divided
    by the engine's time in the same round, so above 1 is faster than Foundation; the spread is the median absolute
    deviation. Times are processor times. Times on the clock are used where threads or the network take part: in the
    suite parallel, the rows small-call of chain, and the rows with -wall of network. Before anything is timed, each
    engine's result is checked, in most cases against Foundation's. Heap blocks and bytes are counted in a run of their
    own.
    """
