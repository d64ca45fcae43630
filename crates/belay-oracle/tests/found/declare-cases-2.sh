#shell bash
#does delete /home/dev/p/Ab  (by call 1)
declare -c x=aB; rid 1 "$x"
