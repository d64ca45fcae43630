#shell bash
#does delete /home/dev/p/a  (by call 3)
rid 3 "$({ echo a >&2;} 2>&1)"
