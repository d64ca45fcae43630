#shell bash
#does delete /home/dev/q  (by call 1)
declare -A M=([a]=d [b]=e); M["a b"]+=../q; rid 1 "${M[@]}"
