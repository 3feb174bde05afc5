extension MediaType {
    /// Makes the media type of a file by its name's extension; `application/octet-stream` if the extension is unknown.
    ///
    /// ```swift
    /// print(MediaType(ofFile: "Holiday.JPG"))      // image/jpeg
    /// ```
    /// Most types are those of the IANA registry; the others are the ones that browsers and servers use. The result
    /// does not depend on the platform.
    /// - Parameter name: The name of the file, or only its extension.
    public init(ofFile name: String) {
        let start = name.lastIndex { $0 == "." || $0 == "/" }
        let suffix = start.map { name[name.index(after: $0)...] } ?? name[...]
        let essence = typesByExtension[suffix.lowercased()] ?? "application/octet-stream"
        self.init(essence: essence)
    }
}

private let typesByExtension: [String: String] = {
    var types: [String: String] = [:]
    for line in typeTable.split(separator: "\n") {
        let words = line.split(separator: " ")
        for suffix in words.dropFirst() { types[String(suffix)] = words.first.map(String.init) }
    }
    return types
}()

/// Each line is a media type and its file extensions.
private let typeTable = """
    application/epub+zip epub
    application/geo+json geojson
    application/gzip gz
    application/java-archive jar
    application/json json map
    application/ld+json jsonld
    application/manifest+json webmanifest
    application/msword doc dot
    application/octet-stream bin exe dll iso dmg deb
    application/ogg ogx
    application/pdf pdf
    application/pgp-signature asc sig
    application/pkcs10 p10
    application/pkcs8 p8
    application/pkix-cert cer
    application/postscript ps eps ai
    application/rtf rtf
    application/sql sql
    application/vnd.android.package-archive apk
    application/vnd.apple.keynote key
    application/vnd.apple.mpegurl m3u8
    application/vnd.apple.numbers numbers
    application/vnd.apple.pages pages
    application/vnd.apple.pkpass pkpass
    application/vnd.google-earth.kml+xml kml
    application/vnd.google-earth.kmz kmz
    application/vnd.ms-excel xls
    application/vnd.ms-fontobject eot
    application/vnd.ms-powerpoint ppt
    application/vnd.oasis.opendocument.presentation odp
    application/vnd.oasis.opendocument.spreadsheet ods
    application/vnd.oasis.opendocument.text odt
    application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
    application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
    application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
    application/vnd.rar rar
    application/vnd.sqlite3 sqlite sqlite3 db
    application/wasm wasm
    application/x-7z-compressed 7z
    application/x-bzip2 bz2
    application/x-pkcs12 p12 pfx
    application/x-plist plist
    application/x-sh sh
    application/x-tar tar
    application/x-x509-ca-cert der crt
    application/x-xz xz
    application/xhtml+xml xhtml
    application/xml xml xsl xsd
    application/yaml yaml yml
    application/zip zip
    application/zstd zst
    audio/aac aac
    audio/amr amr
    audio/flac flac
    audio/midi mid midi
    audio/mp4 m4a m4b
    audio/mpeg mp3
    audio/ogg ogg oga opus
    audio/wav wav
    audio/webm weba
    audio/x-aiff aif aiff
    audio/x-caf caf
    font/collection ttc
    font/otf otf
    font/ttf ttf
    font/woff woff
    font/woff2 woff2
    image/apng apng
    image/avif avif
    image/bmp bmp
    image/gif gif
    image/heic heic
    image/heif heif
    image/jpeg jpg jpeg jpe jfif
    image/jxl jxl
    image/png png
    image/svg+xml svg
    image/tiff tif tiff
    image/vnd.adobe.photoshop psd
    image/vnd.microsoft.icon ico
    image/webp webp
    image/x-adobe-dng dng
    message/rfc822 eml
    model/gltf-binary glb
    model/gltf+json gltf
    model/obj obj
    model/stl stl
    model/vnd.usdz+zip usdz
    text/calendar ics ifb
    text/css css
    text/csv csv
    text/html html htm
    text/javascript js mjs
    text/markdown md markdown
    text/plain txt text log conf ini
    text/tab-separated-values tsv
    text/vcard vcf vcard
    text/vtt vtt
    video/3gpp 3gp
    video/3gpp2 3g2
    video/matroska mkv
    video/mp2t ts m2ts
    video/mp4 mp4 m4v mp4v
    video/mpeg mpeg mpg
    video/ogg ogv
    video/quicktime mov qt
    video/webm webm
    video/x-msvideo avi
    """
