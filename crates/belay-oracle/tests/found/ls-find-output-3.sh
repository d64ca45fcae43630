#shell bash
#does delete /home/dev/p/b/t1  (by call 1)
rid 1 $(ls d)/t1
