"""The ``tricktake`` command."""


def main() -> None:
    """Run the command line."""
    from tricktake.cli.main import run

    run()


if __name__ == "__main__":
    main()
