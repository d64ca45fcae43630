#shell bash
#does delete /t4  (by call 4)
x=~/s n=1 A=(a d/e)
x=$() x=$((A[n]))
rid 4 "$x"/t4
