#shell bash
#does delete /tmp/tmp.jsAp6CUwsE  (by call 1)
y=$(mktemp -d); trap 'rid 1 "$y"' EXIT
declare -i y=.
