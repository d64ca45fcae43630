#shell bash
#does delete /home/dev/q  (by call 1)
x=../q; UID=1 x=a
rid 1 "$x"
