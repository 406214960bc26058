import Testing

@testable import PersistProject

/// What project files say of targets, their files and their settings.
@Suite struct ProjectTests {
  private func map(_ files: [String: String]) -> ProjectMap {
    ProjectMap(
      files.sorted { $0.key < $1.key }.compactMap { path, text in
        ProjectFile(path: path) { Array(text.utf8) }
      })
  }

  private static let project = """
    // !$*UTF8*$!
    { objects = {
      R = {isa = PBXProject; buildConfigurationList = L0; mainGroup = G; targets = (T, W, K); };
      G = {isa = PBXGroup; children = (S, "G2", X); sourceTree = "<group>"; };
      G2 = {isa = PBXGroup; children = (F1); path = "Kit"; sourceTree = "<group>"; };
      F1 = {isa = PBXFileReference; path = Note.swift; sourceTree = "<group>"; };
      X = {isa = PBXFileReference; path = Config/App.xcconfig; sourceTree = SOURCE_ROOT; };
      S = {isa = PBXFileSystemSynchronizedRootGroup; exceptions = (E1, E2); path = App;
        sourceTree = "<group>"; };
      E1 = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet;
        membershipExceptions = ("Info.plist", Old/Gone.swift); target = T; };
      E2 = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet;
        membershipExceptions = (Models/Trip.swift); target = W; };
      T = {isa = PBXNativeTarget; name = App; buildConfigurationList = L1; buildPhases = (FW);
        fileSystemSynchronizedGroups = (S); productType = "com.apple.product-type.application"; };
      W = {isa = PBXNativeTarget; name = Widget; buildConfigurationList = L2; buildPhases = ();
        productType = "com.apple.product-type.app-extension"; };
      K = {isa = PBXNativeTarget; name = Kit; buildConfigurationList = L3; buildPhases = (P);
        productType = "com.apple.product-type.framework"; };
      P = {isa = PBXSourcesBuildPhase; files = (B1); };
      B1 = {isa = PBXBuildFile; fileRef = F1; };
      FW = {isa = PBXFrameworksBuildPhase; files = (B2); };
      B2 = {isa = PBXBuildFile; fileRef = F2; };
      F2 = {isa = PBXFileReference; path = Kit.framework; sourceTree = BUILT_PRODUCTS_DIR; };
      L0 = {isa = XCConfigurationList; buildConfigurations = (C0, C1); };
      C0 = {isa = XCBuildConfiguration; buildSettings = {SDKROOT = iphoneos; SWIFT_VERSION = 5.0; };
        name = Debug; };
      C1 = {isa = XCBuildConfiguration; buildSettings = {SDKROOT = iphoneos; SWIFT_VERSION = 5.0; };
        name = Release; };
      L1 = {isa = XCConfigurationList; buildConfigurations = (C2, C3); };
      C2 = {isa = XCBuildConfiguration; baseConfigurationReference = X; buildSettings = {
        SUPPORTS_MACCATALYST = YES; CODE_SIGN_ENTITLEMENTS = "App/$(TARGET_NAME).entitlements"; };
        name = Debug; };
      C3 = {isa = XCBuildConfiguration; baseConfigurationReference = X; buildSettings = {};
        name = Release; };
      L2 = {isa = XCConfigurationList; buildConfigurations = (C4); };
      C4 = {isa = XCBuildConfiguration; buildSettings = {SWIFT_VERSION = 6.0;
        SUPPORTED_PLATFORMS = "iphoneos macosx"; }; name = Release; };
      L3 = {isa = XCConfigurationList; buildConfigurations = (C5); };
      C5 = {isa = XCBuildConfiguration; buildSettings = {}; name = Release; };
    }; rootObject = R; }
    """

  private var project: ProjectMap {
    map([
      "iOS/App.xcodeproj/project.pbxproj": Self.project,
      "iOS/Config/App.xcconfig": "#include \"Base\"\n// SWIFT_VERSION = 4\nA = 1",
      "iOS/Config/Base.xcconfig": "SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor // all",
      "iOS/App/App.entitlements":
        "<dict><key>com.apple.security.application-groups</key><array><string>g</string></array></dict>",
    ])
  }

  private func names(_ map: ProjectMap, _ path: String) -> [String] {
    map.targets(of: path).map { map.targets[$0].name }
  }

  @Test func filesBelongToTargets() {
    let map = project
    #expect(names(map, "iOS/App/TripsApp.swift") == ["App"])
    #expect(names(map, "iOS/App/Models/Trip.swift") == ["App", "Widget"])
    #expect(names(map, "iOS/App/Old/Gone.swift") == [])
    #expect(names(map, "iOS/kit/Note.swift") == ["Kit"])
    #expect(map.isOutsideOfTargets("iOS/specs/A.swift"))
    #expect(!map.isOutsideOfTargets("iOS/Kit/Forgotten.swift"))
    #expect(!map.isOutsideOfTargets("Mac/A.swift"))
    #expect(map.isUnnamed("iOS/Kit/Forgotten.swift"))
    #expect(!map.isUnnamed("iOS/Kit/Note.swift"))
    #expect(!map.isUnnamed("Mac/A.swift"))
    #expect(map.isBuilt("iOS/Kit/Note.swift", beside: "iOS/Kit/Forgotten.swift"))
    #expect(!map.isBuilt("iOS/Kit/Note.swift", beside: "Mac/A.swift"))
    #expect(!map.isBuilt("iOS/specs/A.swift", beside: "iOS/Kit/Forgotten.swift"))
  }

  @Test func settingsComeFromTargetProjectAndFile() {
    let map = project
    #expect(map.isolation(of: "iOS/App/TripsApp.swift") == .mainActor)
    #expect(map.isolation(of: "iOS/App/Models/Trip.swift") == .unknown)
    #expect(map.isolation(of: "iOS/Kit/Note.swift") == .nonisolated)
    #expect(map.isolation(of: "Other/Note.swift") == nil)
    #expect(map.languageMode(of: "iOS/App/TripsApp.swift") == 5)
    #expect(map.platforms(of: "iOS/App/TripsApp.swift") == [.iOS, .macCatalyst])
    #expect(map.platforms(of: "iOS/App/Models/Trip.swift") == [.iOS, .macOS, .macCatalyst])
    #expect(map.platforms(of: "iOS/Other.swift") == nil)
  }

  @Test func librariesRunInTheProcessesThatLinkThem() {
    let map = project
    #expect(map.entitlements(of: "iOS/App/TripsApp.swift").map(\.namesAppGroup) == [true])
    #expect(map.entitlements(of: "iOS/Kit/Note.swift").map(\.namesAppGroup) == [true])
  }

  @Test func generatorsDescribeTargets() {
    let map = map([
      "project.yml": """
      name: Trips # the app
      settings: &all
        base: { SWIFT_VERSION: "6.0", SDKROOT: iphoneos }
      settingGroups:
        main:
          SWIFT_DEFAULT_ACTOR_ISOLATION: MainActor
      targetTemplates:
        Screen:
          platform: iOS
          settings:
            groups: [main]
      targets:
        Trips:
          templates: [Screen]
          type: application
          sources:
            - path: Trips
              excludes:
                - "**/Old"
            - Shared/One.swift
          dependencies:
          - target: Kit
          entitlements:
            path: Trips.entitlements
            properties:
              com.apple.security.application-groups: [group.trips]
        Kit:
          type: framework
          platform: [iOS, macOS]
          sources: Kit
          preBuildScripts:
            - script: |
                echo "targets:"
                exit 0
              name: Say
      """
    ])
    #expect(map.targets.map(\.name) == ["Kit", "Trips"])
    #expect(names(map, "Trips/A.swift") == ["Trips"])
    #expect(names(map, "Trips/A/Old/B.swift") == [])
    #expect(names(map, "Shared/One.swift") == ["Trips"])
    #expect(map.isolation(of: "Trips/A.swift") == .mainActor)
    #expect(map.isolation(of: "Kit/A.swift") == .nonisolated)
    #expect(map.languageMode(of: "Kit/A.swift") == 6)
    #expect(map.platforms(of: "Kit/A.swift") == [.iOS, .macOS])
    #expect(map.entitlements(of: "Kit/A.swift").map(\.namesAppGroup) == [true])
  }

  @Test(arguments: [
    "", "{", "(((((", "{objects = {A = {isa = PBXProject; targets = (A); }; }; rootObject = A; }",
    "{objects = {A = ; }; }", "{a = \"", "/*", "{a = b; c", "<?xml version=\"1.0\"?><plist/>",
    "{objects = {A = {isa = PBXProject; targets = (T); mainGroup = G; }; G = {isa = PBXGroup; children = (G); path = x; }; T = {isa = PBXNativeTarget; fileSystemSynchronizedGroups = (G); buildConfigurationList = T; }; }; rootObject = A; }",
    String(repeating: "{a=", count: 5_000), String(repeating: "(", count: 100_000),
  ])
  func anyProjectIsRead(text: String) {
    _ = map(["A.xcodeproj/project.pbxproj": text]).isolation(of: "A.swift")
  }

  @Test(arguments: [
    "", ":", "- - - -", "a: &b *b", "a: [", "a: {b: [", "a:\n\t- b", "&", "*",
    String(repeating: "- ", count: 10_000), String(repeating: "[", count: 70_000),
    (0..<200).map { String(repeating: " ", count: $0) + "a:" }.joined(separator: "\n"),
    "targets:\n  A:\n    templates: [B]\ntargetTemplates:\n  B:\n    templates: [B]",
    "settingGroups:\n  a: {groups: [a]}\ntargets:\n  A:\n    settings: {groups: [a]}",
  ])
  func anyDescriptionIsRead(text: String) {
    _ = map(["project.yml": text]).isolation(of: "A.swift")
  }

  @Test func configurationFilesMayIncludeThemselves() {
    let file = ProjectFile(path: "A.xcconfig") { Array("#include \"A.xcconfig\"\nA = $(A)".utf8) }
    let settings = ConfigurationFile.settings(
      at: "A.xcconfig", in: ProjectFiles([file].compactMap { $0 }))
    #expect(settings["A"] == "$(A)" || settings["A"] == nil)
  }

  @Test(arguments: [
    ("App/**", "App/A/B.swift", true), ("App/**/*.swift", "App/B.swift", true),
    ("App/*.swift", "App/A/B.swift", false), ("App/A", "App/A/B.swift", true),
    ("**/Old", "App/Old/B.swift", true), ("App/?.swift", "App/B.swift", true),
    ("App/**/Old/**", "App/B.swift", false),
  ])
  func patterns(pattern: String, path: String, matches: Bool) {
    #expect(PathPattern(pattern).matches(path) == matches)
  }
}
