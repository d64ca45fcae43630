#shell bash
#does delete /home/dev/p/b  (by call 1)
A=([1]=a b); rid 1 "${A[2]}"
