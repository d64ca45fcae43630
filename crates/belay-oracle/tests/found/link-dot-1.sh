#shell bash
#does delete /home/dev/p/d/d  (by call 1)
ln -s d/d j; cd j; rid 1 .
