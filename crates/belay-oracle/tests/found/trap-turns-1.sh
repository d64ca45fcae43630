#shell bash
#does delete /home/dev/p/d/b  (by call 1)
trap 'pushd' DEBUG
pushd -n d
rid 1 *
