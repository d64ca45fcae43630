#shell bash
#does delete /tmp/k/t2  (by call 2)
declare -n R=y
for R in y; do +1; done
rid 2 $y/t2
