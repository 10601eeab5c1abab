//! Compiles the protocol in pure Rust: no `protoc`, no C++.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::var_os("CARGO_FEATURE_SERVER").is_some();
    let compile = |file: &str, client: bool| -> Result<(), Box<dyn std::error::Error>> {
        tonic_prost_build::configure()
            .build_client(client)
            .build_server(server)
            .compile_fds(protox::compile([file], ["proto"])?)?;
        Ok(())
    };
    compile("kuksa/val/v2/val.proto", true)?;
    if server {
        compile("kuksa/val/v1/val.proto", false)?;
    }
    println!("cargo:rerun-if-changed=proto");
    Ok(())
}
