"""The project's own commands; `nox -l` lists them."""

from __future__ import annotations

import sys

import nox

nox.options.sessions = ["suite"]
nox.options.default_venv_backend = "none"  # the environment that nox is called from: nobody installs torch twice
PYPROJECT = nox.project.load_toml("pyproject.toml")
EMPTY = 5  # pytest's status where no test was selected


@nox.session
def suite(session: nox.Session) -> None:
    """The project's claim: the harness works, solutions pass, stubs are to do, wrong answers are rejected and named."""
    parallel = ("-n", "auto", "--maxprocesses=4", "--dist=loadfile")  # what shares a fixture shares a process
    session.run(sys.executable, "-m", "pytest", "tests", *parallel, *session.posargs)


@nox.session
def cpu(session: nox.Session) -> None:
    """Judge your answers on what needs no device; `-- --answers=solutions` judges others."""
    _judge(session, "cpu")


@nox.session
def gpu(session: nox.Session) -> None:
    """Judge your answers on this machine's GPU."""
    import torch

    if not (torch.cuda.is_available() or torch.backends.mps.is_available()):
        build = f"torch {torch.__version__} (built for {_built_for(torch)})"
        session.error(f"{build} finds no GPU here: neither a CUDA or ROCm device with its driver, nor Apple's MPS")
    _judge(session, "cuda or mps")


@nox.session
def ddp(session: nox.Session) -> None:
    """Judge your answers on real ranks: gloo on the CPU always, NCCL with one rank for each GPU that is present."""
    _judge(session, "ddp or multigpu")


@nox.session
def bank(session: nox.Session) -> None:
    """Print for each wrong answer of the bank which test rejects it, and with which sentence."""
    session.run(sys.executable, "-m", "tests.proof", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Print what a run costs, as ratios of CPU time in one run."""
    session.run(sys.executable, "-m", "tests.bench", *session.posargs)


@nox.session(venv_backend="virtualenv", reuse_venv=True)
def lint(session: nox.Session) -> None:
    """Ruff on everything, mypy on the harness."""
    session.install(*nox.project.dependency_groups(PYPROJECT, "lint"))
    session.run("ruff", "check", *session.posargs)
    session.run("ruff", "format", "--check")
    session.run("mypy")


def _judge(session: nox.Session, marker: str) -> None:
    """Run the katas under a marker; a selection without tests is no failure, and is said."""
    session.run(sys.executable, "-m", "pytest", "katas", "-m", marker, *session.posargs, success_codes=[0, EMPTY])


def _built_for(torch: object) -> str:
    version = torch.version  # type: ignore[attr-defined]
    return f"CUDA {version.cuda}" if version.cuda else f"ROCm {version.hip}" if version.hip else "the CPU"


if __name__ == "__main__":
    nox.main()
