#shell bash
#does delete /home/dev/p/aB  (by call 1)
declare -lu x=aB; rid 1 "$x"
