#shell bash
#does delete /home/dev/s/a/t4  (by call 4)
run 3 'ln -s ../s j'
cd j
rid 4 a/t4
