#shell bash
#does delete /tmp/k  (by call 1)
read x <<< $((n))
rid 1 "$x"
