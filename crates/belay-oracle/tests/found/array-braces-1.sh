#shell bash
#does delete /home/dev/p/[1]=b  (by call 1)
A=([1]={b,d}); rid 1 "${A[0]}"
