#shell bash
#does delete /home/dev/s/t1  (by call 1)
ln -s ../../s d; rid 1 d/s/t1
