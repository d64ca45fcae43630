#shell bash
#does delete /home/dev/p/1 a/t2  (by call 2)
set 1 a;rid 2 "$*"/t2
