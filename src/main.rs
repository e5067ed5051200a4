//! Arguments -> configuration -> assembled parts -> run.

fn main() -> std::process::ExitCode {
    kibitzer::cli::main()
}
