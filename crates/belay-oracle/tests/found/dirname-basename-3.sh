#shell bash
#does delete /home/dev/p  (by call 2)
<<< d/e rid 2 $(dirname b)
