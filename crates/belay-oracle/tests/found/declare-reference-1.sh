#shell bash
#does delete /home/dev/p/b  (by call 1)
declare -n R=x; x=a; declare R=b; rid 1 "$x"
