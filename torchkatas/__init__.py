"""The harness of torch-katas: a pytest plugin of small modules, one idea each."""
