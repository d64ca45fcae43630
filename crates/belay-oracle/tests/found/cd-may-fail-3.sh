#shell bash
#does delete /home/dev/p/t4  (by call 4)
rid ||cd &&rid 4 t4
