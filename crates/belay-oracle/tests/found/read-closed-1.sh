#shell bash
#does delete /home/dev/p/y/t1  (by call 1)
read y <&-
rid 1 "$y"/t1
