#shell bash
#does delete /home/dev/p/b/t1  (by call 1)
y=$(< b) && unset x
rid 1 "$x"/t1
