#shell bash
#does delete /home/dev/p/b/t2  (by call 2)
declare x={a,b}
rid 2 "$x"/t2
