#shell bash
#does delete /home/dev/p/t1  (by call 1)
cd d
cd d
rid 1 t1
