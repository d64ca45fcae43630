#!/bin/sh
# Installs belay: fetches the archive of this platform, checks it against SHA256SUMS, and only then unpacks it.
#   sh install.sh                     into ~/.local
#   PREFIX=/usr/local sh install.sh   somewhere else
#   BELAY_FROM=FOLDER sh install.sh   from files that are there already, or another address
set -eu

version=@VERSION@
from=${BELAY_FROM:-@REPOSITORY@/releases/download/v$version}
prefix=${PREFIX:-$HOME/.local}

fail() {
    echo "error: $1" >&2
    [ $# -lt 2 ] || echo "hint: $2" >&2
    exit 1
}

case "$(uname -s) $(uname -m)" in
"Linux x86_64") triple=x86_64-unknown-linux-musl ;;
"Linux aarch64" | "Linux arm64") triple=aarch64-unknown-linux-musl ;;
"Darwin x86_64") triple=x86_64-apple-darwin ;;
"Darwin arm64") triple=aarch64-apple-darwin ;;
*) fail "there is no archive for $(uname -s) on $(uname -m)" "cargo install belay-cli" ;;
esac
name=belay-$version-$triple

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT INT TERM

fetch() {
    case $from in
    http://* | https://* | file://*)
        curl --proto '=https,http,file' -fsSL "$from/$1" -o "$room/$1" || fail "cannot fetch $from/$1"
        ;;
    *) cp "$from/$1" "$room/$1" || fail "cannot read $from/$1" ;;
    esac
}

sum() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1"
    else
        shasum -a 256 "$1"
    fi | cut -d ' ' -f 1
}

fetch SHA256SUMS
fetch "$name.tar.gz"
expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p" "$room/SHA256SUMS")
[ -n "$expected" ] || fail "SHA256SUMS does not name $name.tar.gz"
found=$(sum "$room/$name.tar.gz")
[ "$found" = "$expected" ] || fail "$name.tar.gz is not the one that was released: $found, not $expected"

tar -xzf "$room/$name.tar.gz" -C "$room"
for folder in bin share; do
    mkdir -p "$prefix/$folder"
    cp -R "$room/$name/$folder/." "$prefix/$folder/"
done
echo "installed $prefix/bin/belay"
first=$(command -v belay || true)
if [ -z "$first" ]; then
    echo "hint: add $prefix/bin to PATH"
elif [ "$first" != "$prefix/bin/belay" ]; then
    echo "hint: another belay is found first: $first"
fi
echo "next: belay install"
