# Builds the stage, as the first process of new namespaces: a root of its own, in memory, with the system's programs
# read-only below it. Words: the folder to build on, the oracle's program, then what to run there.
set -eu
stage=$1 oracle=$2
shift 2
mount -t tmpfs -o size=64m,mode=755 stage "$stage"
mkdir -p "$stage/home" "$stage/tmp" "$stage/proc" "$stage/dev" "$stage/etc" "$stage/stub/bin" "$stage/stub/strangers" "$stage/stub/acts" "$stage/usr"
cp "$oracle" "$stage/stub/oracle"
for name in rid put run tell show; do
    ln -s ../oracle "$stage/stub/bin/$name"
done
for name in f g; do
    ln -s ../oracle "$stage/stub/strangers/$name"
done
mount --bind /usr "$stage/usr"
mount -o remount,bind,ro "$stage/usr"
for name in bin sbin lib lib32 lib64; do
    if [ -L "/$name" ]; then
        ln -s "$(readlink "/$name")" "$stage/$name"
    elif [ -d "/$name" ]; then
        mkdir "$stage/$name"
        mount --bind "/$name" "$stage/$name"
        mount -o remount,bind,ro "$stage/$name"
    fi
done
mount --rbind /proc "$stage/proc"
touch "$stage/dev/null"
mount --bind /dev/null "$stage/dev/null"
ln -s /proc/self/fd "$stage/dev/fd"
ln -s /proc/self/fd/0 "$stage/dev/stdin"
ln -s /proc/self/fd/1 "$stage/dev/stdout"
ln -s /proc/self/fd/2 "$stage/dev/stderr"
echo 'dev:x:0:0::/home/dev:/bin/bash' > "$stage/etc/passwd"
exec chroot "$stage" /stub/oracle "$@"
