#shell bash
#does delete /home/dev/s/t1  (by call 1)
ln -s -t d ../../s; rid 1 d/s/t1
