#shell bash
#does delete /home/dev/p/1  (by call 1)
#does delete /home/dev/p/b  (by call 1)
x=$((n=1)); x+=' b'; rid 1 $x
