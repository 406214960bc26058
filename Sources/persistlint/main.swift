print("persistlint 0.1.0")
