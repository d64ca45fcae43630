#shell bash
#does delete /home/dev/p/.t1  (by call 1)
x=$(basename ? .c); rid 1 "$x".t1
