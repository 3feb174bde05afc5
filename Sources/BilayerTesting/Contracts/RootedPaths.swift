// Adds the root `$` to paths, because callers may leave it out.

func rooted(_ path: String) -> String {
    path.hasPrefix("$") ? path : path.hasPrefix("[") ? "$" + path : "$." + path
}

func rooted(_ paths: Set<String>) -> Set<String> { Set(paths.map(rooted)) }
