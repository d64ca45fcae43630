#shell bash
#does delete /home/dev/p/-x  (by call 1)
#does delete /home/dev/p/x="0"  (by call 1)
x=$(declare -p x)
x=/tmp/k"$x"
rid 1 $x
