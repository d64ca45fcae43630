#shell bash
#does delete /t2  (by call 2)
x="$!"
rid 2 $x/t2
