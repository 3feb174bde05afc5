/// The colours of the chart for light pages, and for dark pages if the reader's system prefers them.
let chartStyle = """
    <style>
    text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 11px; fill: #1f2328; }
    .page { fill: #ffffff; }
    .title { font-size: 15px; font-weight: 600; }
    .panel { font-size: 13px; font-weight: 600; }
    .value { font-size: 10px; fill: #57606a; }
    .foundation { fill: #8c959f; }
    .bilayer-codable { fill: #0969da; }
    .bilayer-direct { fill: #1a7f5a; }
    .bilayer-chain { fill: #8250df; }
    .jsonserialization-roundtrip { fill: #cf5f24; }
    .without-key-tables { fill: #bf8700; }
    .without-container-reuse { fill: #bf3989; }
    .without-direct-collections { fill: #57606a; }
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .page { fill: #0d1117; }
    .value { fill: #9ea7b3; }
    .foundation { fill: #848d97; }
    .bilayer-codable { fill: #4493f8; }
    .bilayer-direct { fill: #3fb98a; }
    .bilayer-chain { fill: #ab7df8; }
    .jsonserialization-roundtrip { fill: #f0883e; }
    .without-key-tables { fill: #d29922; }
    .without-container-reuse { fill: #db61a2; }
    .without-direct-collections { fill: #9ea7b3; }
    }
    </style>
    """
