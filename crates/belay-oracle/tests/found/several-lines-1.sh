#shell bash
#does delete /home/dev/p/1  (by call 2)
rid 2 $(seq 2)/t2
