#shell bash
#does delete /home/dev/p/b  (by call 1)
#does delete /home/dev/p/d  (by call 1)
#does delete /home/dev/p/l  (by call 1)
A=(*)
rid 1 ${A[*]}.t1
