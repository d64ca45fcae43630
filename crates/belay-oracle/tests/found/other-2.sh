#shell bash
#does delete /t1  (by call 1)
y="$((n+=1))"
rid 1 "$y"/t1
