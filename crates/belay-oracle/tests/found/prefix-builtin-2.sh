#shell bash
#does delete /home/dev/p/c  (by call 1)
x=a; x=b printf -v x c; rid 1 "$x"
