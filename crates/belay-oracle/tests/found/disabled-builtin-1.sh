#shell bash
#does delete /home/dev/p/b  (by call 1)
x=b; enable -n declare; declare x=a; rid 1 "$x"
