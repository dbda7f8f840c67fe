"""What may stand in a request where something else should."""

# About as many bytes as a body may have, and one for evaluate.
LENGTHS = (65_535, 65_536, 65_537, 262_143, 262_144, 262_145)

# ---- what may stand where another JSON value stood ----

ODD_JSON = (
    b"null true false 0 -0 -1 1 2 500 501 10001 0.5 1.0 -1e3 1e400 -1e400 1e-400 NaN "
    b"Infinity -Infinity "
    b"2147483648 9223372036854775807 9223372036854775808 -9223372036854775809 "
    b"18446744073709551616 "
    b"123456789012345678901234567890123456789012345678901234567890 00 01 0x10 1_000 +1 .5 "
    b"5. "
    b'"" "0" "1" "true" "null" "R" "U" "Q" "7>3" "12>F" "S>W1" "W4>F" "0>0" "99>1" "7>7" '
    b'"r" "R " '
    b'"AC" "5C" "KX" "10H" "pysol-1" "pysol-0" "pysol-ms1" "cruel" "calculation" '
    b'"semilla/1" "semilla/2" '
    b'"\\u0000" "\\ud800" "\\udfff\\ud800" "\\ud83d\\ude00" "\\u202e" "\xc3\xa9" '
    b'"e\xcc\x81" "\xff" "\xc0\x80" '
    b'"\xed\xa0\x80" "\xf4\x90\x80\x80" "\x00" "\t" "\'" "%s" "{}" "\';--" "../.." "\\" '
    b'"\\x" "\\u12" '
    b'[] {} [[]] [null] [{}] {"a":1} {"":{}} undefined // /**/ , : " [ { ] } '
).split()
LONG_JSON = (
    b'"' + b"x" * 300 + b'"',
    b'"' + b"x" * 70_000 + b'"',
    b'"' + "🂡".encode() * 5_000 + b'"',
    b'["' + b'","'.join([b"R"] * 501) + b'"]',
    b'["' + b'","'.join([b"U"] * 10_001) + b'"]',
    b"[" * 200 + b"]" * 200,
    b"[" * 30_000 + b"]" * 30_000,
    b"[" * 60_000,
    b'{"a":' * 2_000 + b"1" + b"}" * 2_000,
    b"9" * 5_000,
    b"0." + b"1" * 5_000,
)
NAMES = ("", "at", "moves", "seed", "variant", "options", "undo", "record", "position", "piles")

ODD_HEADERS = (
    ("Accept", "text/plain", "application/json", "image/png", "*/*", "", "text/*;q=0", ";", "q=1",
     "application/json;q=nan", "text/plain;q=1e309", ",,,", "a/b/c", 'text/plain;charset="', "*"),
    ("Accept-Language", "es", "en;q=0", "*", "xx-" * 500, ";q=", "es;q=-1", "é"),
    ("Authorization", "", "Bearer", "Bearer ", "Bearer sg_nobody", "Bearer sp_nobody", "bearer x",
     "Basic Og==", "Basic !!!", "Bearer é", "Bearer sg_" + "x" * 5_000, "Bearer a b", "Digest a=b",
     "Bearer sg_\x00", "Negotiate ="),
    ("Content-Type", "", "text/plain", "application/json; charset=utf-16", "application/JSON",
     "json",
     'application/json; charset="', "multipart/form-data", "multipart/form-data; boundary=x",
     "application/x-www-form-urlencoded", "application/json, application/json", "*/*",
     "a/" + "b" * 999),
    ("Content-Encoding", "gzip", "identity", "x"),
    ("Content-Length", "0", "1", "-1", "+5", "5, 5", "0x5", "", " ", "1e3", "65536", "65537",
     "262145",
     "999999999999", "9" * 30, "9" * 5_000, "²", "٣", "1.0"),
    ("Transfer-Encoding", "chunked", "identity", "gzip, chunked", "chunked, chunked", "x", "",
     "Chunked"),
    ("Expect", "100-continue", "200-ok", ""),
    ("Host", "", "a b", "evil.example", "[::1]", "[", "localhost:99999", "é", "a" * 5_000, "x/y",
     "@",
     "localhost:0", "<script>", "a\x7f"),
    ("If-None-Match", "*", '"x"', 'W/"x"', '"', "x" * 5_000, '"a", "b"', ""),
    ("If-Match", "*", '"x"', '"'),
    ("If-Modified-Since", "x", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 99999 00:00:00 GMT"),
    ("Range", "bytes=0-0", "bytes=-1", "bytes=9-1", "bytes=0-0,2-2", "bytes=" + "9" * 50 + "-",
     "x=1-2"),
    ("If-Range", "x", '"x"'),
    ("Idempotency-Key", "", "x",
     "x" * 22, "x" * 255, "x" * 256, "é" * 22, '"' + "k" * 22 + '"', "\x01" * 22),
    ("X-Forwarded-For", "127.0.0.1", "x", ",", "1.2.3.4, " * 500, "::1", "é", "999.1.1.1",
     "[::1]:80"),
    ("X-Forwarded-Proto", "https", "x", ""),
    ("X-Forwarded-Host", "evil.example", ""),
    ("X-Forwarded-Prefix", "/x", "x"),
    ("Forwarded", "for=1.2.3.4;host=x", ";"),
    ("X-HTTP-Method-Override", "DELETE", "POST"),
    ("X-Request-ID", "x", "\x01", "y" * 3_000),
    ("SCRIPT_NAME", "/v1", "/x", "x", ""),
    ("PATH_INFO", "/v1/games", "x"),
    ("Origin", "null", "https://evil.example", "é"),
    ("Access-Control-Request-Method", "POST", "x"),
    ("Access-Control-Request-Headers", "x", "Authorization, " * 200),
    ("Cookie", "a=b", ";", "=" * 2_000, 'a="\\'),
    ("Connection", "close", "keep-alive", "upgrade", "x", ""),
    ("Upgrade", "h2c", "websocket"),
    ("HTTP2-Settings", "AAMAAABkAAQAoAAAAAIAAAAA"),
    ("TE", "trailers"),
    ("X", "x" * 8_000, "x" * 9_000, "x" * 70_000, "\x00", "\r", "\n", "\x7f", "a\r\n b"),
    ("é", "x"), ("", "x"), ("A B", "x"), ("A\x00", "x"), (":", "x"), ("X\t", "x"),
)  # fmt: skip
METHODS = (
    "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND get Post G P\x00ST PRI É "
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
).split()
ODD_PATHS = (
    "", "/", "//", "/.", "/..", "/../..", "/%2e%2e/", "/%2F", "/%00", "/%ff", "/%C0%AF", "/%",
    "/%zz",
    "/%25", "/;a=b", "/*", "/é", "/\\", "/ ", "/\t", "/%20", "/%0d%0aX:y", "/" + "a" * 3_000,
    "/" + "a" * 9_000, "/.svg", "/none", "/-1", "/0", "/None", "/%F0%9F%82%A1", "/[", "/]", "/@",
    "/:80",
)  # fmt: skip
ODD_QUERIES = (
    "", "?", "&", "=", "a", "limit=", "limit=0", "limit=1", "limit=200", "limit=201", "limit=-1",
    "limit=x", "limit=1.0", "limit=%31", "limit=٣", "limit=1&limit=2", "limit=" + "9" * 5_000,
    "cursor=", "cursor=x", "cursor=%00", "cursor=%ff", "cursor=YWZ0ZXI6MQ", "cursor=eyJhIjoxfQ==",
    "cursor=" + "A" * 3_000, "deal=by_round", "deal=by_pile", "deal=x", "bases=AC,2D,3H,4S",
    "bases=,,,",
    "bases=AC", "bases=" + "AC," * 500, "at=0", "undo=1", "token=sg_x", "%", "%zz=1", "a[b]=1",
    "a=%ud800",
    "&" * 2_000, "a=b;c=d", "limit[]=1", "?limit=1", "#", "#a",
)  # fmt: skip
