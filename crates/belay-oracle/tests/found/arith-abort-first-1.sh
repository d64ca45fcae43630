#shell bash
#does delete /home/dev/p/t-1  (by call 1)
m=0; x=$((m-- + 1/0)); m=2
rid 1 "t$m"
