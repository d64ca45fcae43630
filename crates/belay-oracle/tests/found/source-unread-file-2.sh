#shell bash
#does delete /home/dev/p/d/t1  (by call 1)
. ./l
rid 1 t1
