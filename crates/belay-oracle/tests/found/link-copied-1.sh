#shell bash
#does delete /home/dev/s/t1  (by call 1)
ln -s ../s j; cp -a j k; rid 1 k/t1
