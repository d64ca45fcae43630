#shell sh
#does delete /home/dev/s/t1  (by call 1)
ln -s ../s j; rid 1 j/t1
