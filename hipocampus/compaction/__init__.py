"""The chain raw → daily → weekly → monthly → ROOT."""
