#shell bash
#does delete /home/dev/p/invalid  (by call 1)
x=$( { printf -v x %d ./c; } 2>&1 )
rid 1 $x
