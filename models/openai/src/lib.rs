//! The client of incar for OpenAI-compatible model services.
