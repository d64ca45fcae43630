#shell bash
#does delete /t2  (by call 2)
y="$(basename $x)"
rid 2 $y/t2
