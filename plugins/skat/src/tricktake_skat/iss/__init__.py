"""The protocol of the International Skat Server, version 14: a server and a client (docs/iss.md)."""
