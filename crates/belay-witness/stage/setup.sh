# Builds the stage, as the first process of new namespaces: a world in memory below FOLDER, nothing else to write to, and no
# network but a loopback of its own. Words: the folder to build on, then what to run there.
set -eu
stage=$1
shift
ip link set lo up 2>/dev/null || true
mount -t tmpfs -o size=1g,mode=755 stage "$stage"
mkdir -p "$stage/world/etc" "$stage/world/top" "$stage/world/home/dev" "$stage/world/tmp" "$stage/run" "$stage/dev" "$stage/root" "$stage/lines"
printf 'nameserver 192.0.2.53\noptions timeout:1 attempts:1\n' >"$stage/world/etc/resolv.conf"
# Programs look themselves up before they were asked for anything: that is no call to anybody.
printf '127.0.0.1 localhost %s\n' "$(uname -n)" >"$stage/world/etc/hosts"
printf 'root:x:0:0::/root:/bin/bash\ndev:x:1000:1000::/home/dev:/bin/bash\n' >"$stage/world/etc/passwd"
for name in null zero full random urandom tty; do
    touch "$stage/dev/$name"
    mount --bind "/dev/$name" "$stage/dev/$name"
done
ln -s /proc/self/fd "$stage/dev/fd"
ln -s /proc/self/fd/0 "$stage/dev/stdin"
ln -s /proc/self/fd/1 "$stage/dev/stdout"
ln -s /proc/self/fd/2 "$stage/dev/stderr"
mkdir -m 1777 "$stage/dev/shm"
sh -c "$WORLD" world "$stage/world/home/dev"
for name in usr etc var opt root home tmp dev run proc; do
    mkdir "$stage/world/top/$name"
done
for name in bin sbin lib lib32 lib64; do
    ln -s "usr/$name" "$stage/world/top/$name"
done
chmod 1777 "$stage/world/tmp"
touch "$stage/run/belay" "$stage/run/belay.toml"
mount --bind "$BELAY" "$stage/run/belay"
if [ -n "${KNOWLEDGE:-}" ]; then
    mkdir "$stage/run/knowledge"
    mount --bind "$KNOWLEDGE" "$stage/run/knowledge"
fi
# What the lines run in is made of layers; everything else is out of reach of whoever would leave them.
mount --bind / / 2>/dev/null && mount -o remount,bind,ro / 2>/dev/null || true
exec "$@"
