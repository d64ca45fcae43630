#shell bash
#does delete /home/dev/p/a  (by call 1)
jobs -x rid 1 "$y"
