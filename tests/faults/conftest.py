"""The hook processes of ``tests/hooks``, for the tests of what can go wrong around them."""

from tests.hooks.conftest import host_env, put_root, run_hook

__all__ = ["host_env", "put_root", "run_hook"]
