# Builds the stage, as the first process of new namespaces: a disk in memory, the gate read-only on it, and another folder in
# the place of the home that the user database names. Words: the folder to build on, the gate, then the program and its words.
set -eu
stage=$1 gate=$2
shift 2
mount -t tmpfs -o size=768m,mode=755 stage "$stage"
touch "$stage/belay" "$stage/faults"
mount --bind "$gate" "$stage/belay"
mount -o remount,bind,ro "$stage/belay"
mount --bind "$1" "$stage/faults"
shift
home=$(getent passwd 0 | cut -d: -f6)
[ ! -d "$home" ] || mount -t tmpfs -o size=16m,mode=700 home "$home"
cd "$stage"
exec "$stage/faults" "$@"
