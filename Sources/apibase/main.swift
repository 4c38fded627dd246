print("apibase")
