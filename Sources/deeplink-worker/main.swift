print("deeplink-worker")
