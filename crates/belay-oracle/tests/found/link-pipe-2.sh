#shell bash
#does delete /home/dev/p/d/t1  (by call 1)
ln -s d/d j | cat; rid 1 j/../t1
