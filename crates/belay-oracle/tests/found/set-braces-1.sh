#shell bash
#does delete /home/dev/s{1..2}  (by call 1)
set +B
rid 1 ~/s{1..2}
