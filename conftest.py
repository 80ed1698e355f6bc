pytest_plugins = ["torchkatas.plugin"]
