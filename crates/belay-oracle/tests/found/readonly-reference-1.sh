#shell bash
#does delete /home/dev/p/b  (by call 1)
declare -n R=x; x=b; readonly R
x=a
rid 1 "$x"
