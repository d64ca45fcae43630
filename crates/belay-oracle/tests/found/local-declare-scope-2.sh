#shell bash
#does delete /home/dev/p/declare -x y="y"/t2  (by call 2)
x=$(declare -p y)
rid 2 "$x"/t2
