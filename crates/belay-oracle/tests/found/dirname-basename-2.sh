#shell bash
#does delete /home/dev/p/t1  (by call 1)
rid 1 "$(dirname x)"/t1
