#shell bash
#does delete /tmp/tmp.RkC6jovKif  (by call 1)
x=$(mktemp -d); trap 'rid 1 "$x"' EXIT
