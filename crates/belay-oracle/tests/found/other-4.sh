#shell bash
#does read /t2  (by call 2)
wait -p x
show 2 "$x"/t2
