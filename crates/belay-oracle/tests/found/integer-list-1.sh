#shell bash
#does delete /home/dev/p/d/e/t1  (by call 1)
y=d/e; [ x ] && declare -i y
y+=("")
rid 1 $y/t1
