#shell bash
#does delete /home/dev/p/d/e /t1  (by call 1)
A=(d/e '')
rid 1 "${A[*]}"/t1
