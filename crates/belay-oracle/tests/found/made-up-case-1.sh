#shell bash
#does delete /tmp/tmp.miyxn1xiei.t2  (by call 2)
declare -l x=$(mktemp -d); rid 2 "${x}".t2
