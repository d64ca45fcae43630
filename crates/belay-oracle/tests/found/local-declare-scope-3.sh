#shell bash
#does delete /home/dev/p/declare -x x="d"/t1  (by call 1)
y=$(declare -p x)
rid 1 "$y"/t1
