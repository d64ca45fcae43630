#shell bash
#does delete /home/dev/s/t1  (by call 1)
ln -s ../s j | cat; rid 1 j/t1
