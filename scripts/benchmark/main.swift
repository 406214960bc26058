#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Seconds of processor time.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func text(of path: String) -> SourceText? {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { return nil }
  return SourceText(capacity: Int(status.st_size)) { read(descriptor, $0.baseAddress, $0.count) }
}

// Paths on standard input, one a line; prints MB/s of the lexer and of the outline on one core.
var texts: [SourceText] = []
while let path = readLine() {
  if let text = text(of: path) { texts.append(text) }
}
let bytes = texts.reduce(0) { $0 + $1.count }
var lexer: [Double] = []
var outline: [Double] = []
var tokens = 0
let memory = TokenMemory()
var nodes = 0
for _ in 0..<7 {
  (tokens, nodes) = (0, 0)
  var start = now()
  for text in texts { tokens += TokenList.lex(text, in: memory).count }
  lexer.append(now() - start)
  start = now()
  for text in texts { nodes += Outline(text).nodes.count }
  outline.append(now() - start)
}
func rate(_ seconds: [Double]) -> Int { Int(Double(bytes) / seconds.sorted()[3] / 1e6) }
print("lexer              \(rate(lexer)) MB/s a core (\(bytes) bytes, \(tokens) tokens)")
print("lexer and outline  \(rate(outline)) MB/s a core (\(nodes) nodes)")
