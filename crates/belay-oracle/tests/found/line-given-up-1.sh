#shell bash
#does delete /home/dev/p/d/e  (by call 3)
readonly y=d/e
y=$(); cd || exit; t2.b
rid 3 "$y"
