#shell bash
#does delete /home/dev/p/a.t2  (by call 2)
x=a
(( x = )) || rid 2 "$x".t2
