class Persistlint < Formula
  desc "Find persistence bugs in Swift sources"
  homepage "https://github.com/persistlint/persistlint"
  url "https://github.com/persistlint/persistlint/releases/download/VERSION/persistlint-VERSION-source.tar.gz"
  sha256 "SHA256"
  license "MIT"
  head "https://github.com/persistlint/persistlint.git", branch: "main"

  depends_on xcode: ["16.0", :build]
  uses_from_macos "swift" => :build

  def install
    args = %w[--disable-sandbox --configuration release --product persistlint]
    args << "--static-swift-stdlib" if OS.linux?
    system "swift", "build", *args
    bin.install ".build/release/persistlint"
    generate_completions_from_executable(bin/"persistlint", "completion")
    (man1/"persistlint.1").write Utils.safe_popen_read(bin/"persistlint", "manual")
  end

  test do
    (testpath/"Store.swift").write <<~SWIFT
      import SwiftData

      func open() -> ModelContainer {
        do {
          return try ModelContainer(for: Trip.self)
        } catch {
          fatalError("\\(error)")
        }
      }
    SWIFT
    assert_match "[fatal-error-on-store-open]", shell_output("#{bin}/persistlint", 1)
  end
end
