#shell bash
#does delete /home/dev/p/d/t1  (by call 1)
ln -s d j; cd j
rid 1 t1
