#shell bash
#does delete /home/dev/p/a  (by call 1)
rid 1 $({ echo a >&2;} 2>&1)
