#shell bash
#does delete /home/dev/p/y/t2  (by call 2)
for R in y; do "$R"/t1; done
unset -n R
rid 2 "$R"/t2
